/** The word for one entry of a type, proposed from the label of the type. */

type Rules = readonly (readonly [ending: RegExp, singular: string | null])[];

/**
 * The endings of plurals, most special first; the first that fits decides. For what none fits,
 * and for `null`, no word is proposed, which is better than a wrong one.
 */
const ENDINGS: Readonly<Record<string, Rules>> = {
  en: [
    [/\bpeople$/i, 'person'],
    [/\bchildren$/i, 'child'],
    [/men$/i, 'man'],
    [/\b(series|species|news|media)$/i, null],
    [/\b(movie|cookie)s$/i, '$1'],
    [/ies$/i, 'y'],
    [/(x|ch|sh|ss|zz)es$/i, '$1'],
    [/(s|u|i)s$/i, null],
    [/s$/i, ''],
  ],
  de: [
    [/beiträge$/i, 'beitrag'],
    [/bücher$/i, 'buch'],
    [/(artikel)$/i, '$1'],
    [/(mitglied|bild)er$/i, '$1'],
    [/(ort|termin|produkt|rezept|projekt|angebot|kurs)e$/i, '$1'],
    [/(job|event|post)s$/i, '$1'],
    [/(autor|person|ung|heit|keit|schaft|ion)en$/i, '$1'],
    [/(seite|frage|aufgabe|notiz|kategorie|marke)e?n$/i, '$1'],
    [/innen$/i, 'in'],
  ],
};

/** The word for one of what the label names, as it stands within a sentence; empty if it is not known. */
export function singularFor(label: string, language: string): string {
  const plural = label.trim();
  const rule = ENDINGS[language]?.find(([ending]) => ending.test(plural));
  if (!rule || rule[1] === null) return '';
  const word = plural.replace(rule[0], rule[1]);
  const first = plural.slice(0, 1);
  // German nouns begin with a capital; in other languages abbreviations alone keep theirs.
  const keeps = language === 'de' || /^\p{Lu}{2}/u.test(plural);
  return (keeps ? first : first.toLowerCase()) + word.slice(1);
}
