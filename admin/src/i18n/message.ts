/** A text of the interface: one sentence, or forms by number, with `{parameters}`. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The texts of another language: exactly the keys of the English ones. */
export type Translation<Texts> = Readonly<Record<keyof Texts, Message>>;
