import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { focusField } from '~/fields/focus';
import { localeName, t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { FilterTabs } from '~/ui/FilterTabs';
import { useEditing } from '../context';
import { offerUndo } from '../form/offer-undo';
import { useTranslating } from './context';
import { missingValues, nextToDo } from './pairs';
import type { Only } from './useShownPairs';
import classes from './translate.module.css';

interface PairFilterProps {
  only: Only | undefined;
  /** The names of the fields that are shown. */
  shown: ReadonlySet<string>;
  onChoose: (only: Only | undefined) => void;
}

/** The choice of fields, the ways to the next one that is to be done, and a copy for all missing ones. */
export function PairFilter({ only, shown, onChoose }: PairFilterProps) {
  const { rights, id } = useEditing();
  const { states } = useTranslating();
  const count = (state: Only) => states.filter((it) => it === state).length;
  const tabs = [
    { value: '', label: t('entry.translate.all'), count: states.filter((it) => it !== 'hidden').length },
    { value: 'missing', label: t('entry.translate.missing'), count: count('missing') },
    ...(rights.revisions && id ? [{ value: 'changed', label: t('entry.translate.changedTab'), count: count('changed') }] : []),
  ];
  return (
    <div className={classes.filter}>
      <FilterTabs label={t('entry.translate.filter')} tabs={tabs} value={only ?? ''} onChange={(it) => onChoose((it || undefined) as Only | undefined)} />
      <Group gap="xs">
        <Steps shown={shown} />
        <FillButton />
      </Group>
    </div>
  );
}

/** The ways to the next and the previous field that is missing or whose source changed. */
function Steps({ shown }: { shown: ReadonlySet<string> }) {
  const { pairs, states } = useTranslating();
  const [said, setSaid] = useState('');
  const go = (step: 1 | -1) => {
    const visible = states.map((it, at) => (shown.has(pairs[at]?.name ?? '') ? it : 'hidden'));
    const name = document.activeElement?.closest<HTMLElement>('[data-pair]')?.dataset.pair;
    const next = nextToDo(visible, pairs.findIndex((it) => it.name === name), step);
    const pair = next === undefined ? undefined : pairs[next];
    setSaid(pair ? '' : t('entry.translate.nothingLeft'));
    if (pair) focusField(pair.target);
  };
  useStepKeys(go);
  return (
    <Group gap={2} wrap="nowrap">
      <Tooltip label={`${t('entry.translate.previous')} (Alt PgUp)`}>
        <ActionIcon variant="subtle" size={34} onClick={() => go(-1)} aria-label={t('entry.translate.previous')} aria-keyshortcuts="Alt+PageUp">
          <IconArrowUp size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`${t('entry.translate.next')} (Alt PgDn)`}>
        <ActionIcon variant="subtle" size={34} onClick={() => go(1)} aria-label={t('entry.translate.next')} aria-keyshortcuts="Alt+PageDown">
          <IconArrowDown size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Announce text={said} />
    </Group>
  );
}

/** Alt with the keys for pages goes from field to field, as in other tools for translators. */
function useStepKeys(go: (step: 1 | -1) => void): void {
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const step = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : undefined;
      if (!step || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (document.querySelector('[role=dialog][aria-modal=true]')) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(step);
    };
    // In the capture phase: editors within the page would take the keys for themselves.
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, []);
}

/** Copies the source into all missing fields, as one step that can be undone. */
function FillButton() {
  const { form, readOnly } = useEditing();
  const { pairs, states, from } = useTranslating();
  const count = states.filter((it) => it === 'missing').length;
  if (readOnly || count === 0) return null;
  const language = localeName(from);
  const fill = () => {
    const { values } = form.state();
    const missing = missingValues(pairs, states, values);
    form.replace({ ...values, ...missing });
    offerUndo(form, t('entry.translate.filled', { count: Object.keys(missing).length, language }));
    const [first] = Object.keys(missing);
    if (first) focusField(first);
  };
  return (
    <Button variant="default" size="compact-sm" fw={500} leftSection={<IconCopy size={15} aria-hidden />} onClick={fill}>
      {t('entry.translate.fill', { count, language })}
    </Button>
  );
}
