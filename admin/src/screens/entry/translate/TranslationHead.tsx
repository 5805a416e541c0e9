import { ActionIcon, Button, Group, Select, Tooltip } from '@mantine/core';
import { IconArrowsLeftRight, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { localeName, t } from '~/i18n';
import { restoreLostFocus } from '~/ui/lost-focus';
import { useEditing } from '../context';
import { LocaleMenu } from '../form/Locales';
import { useFormState } from '../form/store';
import { type PairState, pairsOf, progressOf, statesOf } from './pairs';
import classes from './translate.module.css';

interface TranslationHeadProps {
  from: string;
  /** True if the button that led here had the focus. */
  takesFocus: boolean;
}

/** The two languages of a translation, with the progress in each that can be translated into. */
export function TranslationHead({ from, takesFocus }: TranslationHeadProps) {
  const { type, locale, show } = useEditing();
  const target = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) target.current?.focus();
  }, [takesFocus]);
  const progress = useProgress(from);
  const choose = (next: { locale?: string; compare?: string }) => show({ locale, compare: from, ...next });
  const close = () => {
    show({ compare: undefined, only: undefined });
    restoreLostFocus(() => document.querySelector<HTMLElement>('[data-translate]'));
  };
  const swap = () => choose({ locale: from, compare: locale });
  const names = type.locales.map((value) => ({ value, label: localeName(value) }));
  return (
    <Group gap="xs" className={classes.languages}>
      <Select
        aria-label={t('entry.translate.from')}
        value={from}
        onChange={(value) => value && (value === locale ? swap() : choose({ compare: value }))}
        data={names}
        allowDeselect={false}
        className={classes.from}
      />
      <Tooltip label={t('entry.translate.swap')}>
        <ActionIcon variant="subtle" size={36} onClick={swap} aria-label={t('entry.translate.swap')}>
          <IconArrowsLeftRight size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Select
        ref={target}
        aria-label={t('entry.translate.to')}
        value={locale}
        onChange={(value) => value && choose({ locale: value })}
        data={names.filter(({ value }) => value !== from).map(({ value, label }) => ({ value, label: `${label} · ${progress[value] ?? ''}` }))}
        allowDeselect={false}
        className={classes.to}
      />
      <LocaleMenu />
      <Button variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={close} aria-label={t('entry.translate.stop')}>
        {t('general.close')}
      </Button>
    </Group>
  );
}

/** Returns how far each language is, compared with the source: `7 of 9 translated`. */
function useProgress(from: string): Readonly<Record<string, string>> {
  const { type, form } = useEditing();
  const nothing = useMemo(() => new Map(), []);
  const counts = useFormState(form, (edited) =>
    type.locales.map((it) => {
      const states: PairState[] = statesOf(type, pairsOf(type, from, it), edited, it, nothing);
      const { done, of } = progressOf(states);
      return `${done}/${of}`;
    }).join(' '),
  );
  return useMemo(
    () => Object.fromEntries(counts.split(' ').map((it, at) => {
      const [done, of] = it.split('/').map(Number);
      return [type.locales[at] ?? '', t('entry.translate.progress', { done: done ?? 0, of: of ?? 0 })];
    })),
    [counts, type.locales],
  );
}
