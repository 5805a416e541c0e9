import { Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { localeName, t } from '~/i18n';
import { useEditing } from '../context';
import { useFormState } from '../form/store';
import { useEntryRights } from '../rights';
import { TranslatingProvider } from './context';
import { PairFilter } from './PairFilter';
import { countUnsaved, pairsOf, type Pair, type PairState, statesOf } from './pairs';
import { PairRow } from './PairRow';
import { SharedFields } from './SharedFields';
import { useShownPairs } from './useShownPairs';
import { useSourceHistory } from './useSourceHistory';
import classes from './translate.module.css';

/** The fields in two languages side by side: the source to be read, the translation to be written. */
export function Translation({ from }: { from: string }) {
  const { workspace, type, form, locale, readOnly } = useEditing();
  const pairs = useMemo(() => pairsOf(type, from, locale), [type, from, locale]);
  const { sourceThen, isLoading } = useSourceHistory(pairs);
  // As one text, so that a key that is typed draws nothing anew unless it changes a state.
  const text = useFormState(form, (edited) => statesOf(type, pairs, edited, locale, sourceThen).join(' '));
  const states = useMemo(() => text.split(' ') as PairState[], [text]);
  const entry = useFormState(form, (state) => state.entry);
  const { update } = useEntryRights(workspace, type.name, entry, from);
  const { shown, only, choose } = useShownPairs(pairs, states, isLoading, from);
  const isSourceReadOnly = readOnly || !update;
  const shared = useMemo(() => ({ from, isSourceReadOnly, pairs, states, sourceThen }), [from, isSourceReadOnly, pairs, states, sourceThen]);
  return (
    <TranslatingProvider value={shared}>
      <PairFilter only={only} shown={shown} onChoose={choose} />
      <ColumnHeads pairs={pairs} />
      <section aria-label={t('entry.fields')} className={classes.pairs}>
        {pairs.map((pair, at) => states[at] !== 'hidden' && shown.has(pair.name) && (
          <PairRow key={`${pair.source} ${pair.target}`} pair={pair} state={states[at] ?? 'rest'} />
        ))}
        {only && shown.size === 0 && !isLoading && <NothingLeft only={only} onShowAll={() => choose(undefined)} />}
      </section>
      {!only && <SharedFields />}
    </TranslatingProvider>
  );
}

/** The names of the two columns, each with what is not saved yet. */
function ColumnHeads({ pairs }: { pairs: readonly Pair[] }) {
  const { form, locale, compare = '' } = useEditing();
  const unsaved = useFormState(form, ({ changed }) => `${countUnsaved(pairs, 'source', changed)} ${countUnsaved(pairs, 'target', changed)}`).split(' ');
  return (
    <div className={classes.heads}>
      {[compare, locale].map((it, at) => {
        const count = Number(unsaved[at]);
        return (
          <div key={it} className={classes.head}>
            <span className={classes.language}>{localeName(it)}</span>
            {count > 0 && <span className={classes.unsaved}>{t('entry.translate.unsaved', { count })}</span>}
          </div>
        );
      })}
    </div>
  );
}

/** No field is left of those that were asked for. */
function NothingLeft({ only, onShowAll }: { only: 'missing' | 'changed'; onShowAll: () => void }) {
  return (
    <Group className={classes.nothing}>
      <Text c="dimmed">{t(`entry.translate.none.${only}`)}</Text>
      <Button variant="default" size="compact-sm" onClick={onShowAll}>
        {t('entry.translate.showAll')}
      </Button>
    </Group>
  );
}
