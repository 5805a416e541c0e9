/** The effect of publishing a change, in sentences. */
import type { ContentTypeShape } from '~/api/fields';
import type { ChangeImpact } from '~/api/schema';
import { formatList, t } from '~/i18n';
import { fieldAt } from './fields';

export interface Effect {
  kind: 'appears' | 'vanishes' | 'changes' | 'lists' | 'slugs' | 'dangling';
  sentence: string;
  /** The entries that it is about, each with what is to be said of it. */
  about: readonly { collection: string; id: string; title: string; detail?: string }[];
}

/** The number of titles that a sentence names. */
const NAMED_MAX = 3;

/** Returns the effects of a publication, what may surprise last. */
export function describeImpact(impact: ChangeImpact, types: readonly ContentTypeShape[]): Effect[] {
  const typeOf = (collection: string) => types.find((it) => it.name === collection);
  const labelOf = (collection: string) => typeOf(collection)?.label ?? collection;
  const of = (kind: 'appears' | 'vanishes' | 'changes'): Effect[] => {
    const refs = impact[kind];
    if (refs.length === 0) return [];
    const sentence = t(`changes.impact.${kind}`, { count: refs.length, names: nameSome(refs.map((it) => it.title)) });
    return [{ kind, sentence, about: refs.map((it) => ({ ...it, detail: labelOf(it.collection) })) }];
  };
  const lists = impact.lists
    .filter((it) => it.before !== it.after || it.enters.length > 0 || it.leaves.length > 0)
    .map((it): Effect => {
      const texts = { type: labelOf(it.collection), before: it.before, after: it.after };
      return { kind: 'lists', sentence: t(it.before === it.after ? 'changes.impact.listSame' : 'changes.impact.list', texts), about: [] };
    });
  const slugs = impact.slugs.length > 0 && {
    kind: 'slugs' as const,
    sentence: t('changes.impact.slugs', { count: impact.slugs.length }),
    about: impact.slugs.map((it) => ({ ...it, detail: t('changes.impact.slug', { from: it.from, to: it.to }) })),
  };
  const titleOf = (id: string | null) => impact.vanishes.find((it) => it.id === id)?.title;
  const dangling = impact.dangling.length > 0 && {
    kind: 'dangling' as const,
    sentence: t('changes.impact.dangling', { count: impact.dangling.length }),
    about: impact.dangling.map((it) => ({
      ...it,
      detail: t('changes.impact.danglingAt', { field: fieldAt(typeOf(it.collection), it.path).label, target: titleOf(it.target) ?? labelOf(it.target_collection) }),
    })),
  };
  return [...of('appears'), ...of('changes'), ...of('vanishes'), ...lists, ...(slugs ? [slugs] : []), ...(dangling ? [dangling] : [])];
}

/** Returns the first of some titles, and how many more there are. */
export function nameSome(titles: readonly string[]): string {
  const named = titles.slice(0, NAMED_MAX).map((it) => t('changes.quoted', { title: it || t('general.untitled') }));
  const rest = titles.length - named.length;
  return rest > 0 ? t('changes.andMore', { names: named.join(', '), count: rest }) : formatList(named);
}
