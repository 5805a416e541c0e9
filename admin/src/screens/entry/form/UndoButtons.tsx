import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, type TablerIcon } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { fieldId } from '~/fields/ids';
import { enclosingPaths } from '~/fields/focus';
import { formatList, t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { restoreLostFocus } from '~/ui/lost-focus';
import { COMMAND, useUndoShortcuts } from '~/ui/shortcuts';
import { type Editing, useEditing } from '../context';
import { isTranslated, placeOf } from './form';
import type { Step } from './history';
import { labelOf } from './labels';
import { useFormState } from './store';

/** The buttons that undo and redo the steps of the form; each says which step that is. */
export function UndoButtons() {
  const editing = useEditing();
  const { form, readOnly, type } = editing;
  const last = useFormState(form, ({ history }) => history.done.at(-1));
  const next = useFormState(form, ({ history }) => history.undone.at(-1));
  const lost = useFormState(form, (state) => state.lost);
  const [said, setSaid] = useState('');
  const undo = () => {
    const step = form.undo();
    setSaid(step ? t('entry.undone', { step: stepText(step) }) : t('entry.nothingToUndo'));
    if (step) showPlace(editing, step);
  };
  const redo = () => {
    const step = form.redo();
    setSaid(step ? t('entry.redone', { step: stepText(step) }) : t('entry.nothingToRedo'));
    if (step) showPlace(editing, step);
  };
  useUndoShortcuts(undo, redo, !readOnly);
  useStepEnds(editing);
  if (readOnly) return null;
  const gone = lost.length > 0 ? t('entry.undoLost', { fields: formatList(lost.map((slot) => labelOf(type, slot))) }) : undefined;
  return (
    <Group gap={2} wrap="nowrap">
      <StepButton
        icon={IconArrowBackUp}
        label={last ? t('entry.undo', { step: stepText(last) }) : (gone ?? t('entry.nothingToUndo'))}
        keys={`${COMMAND} Z`}
        onClick={last && undo}
      />
      <StepButton
        icon={IconArrowForwardUp}
        label={next ? t('entry.redo', { step: stepText(next) }) : t('entry.nothingToRedo')}
        keys={`${COMMAND} ⇧ Z`}
        onClick={next && redo}
      />
      <Announce text={gone && !last ? gone : said} />
    </Group>
  );
}

interface StepButtonProps {
  icon: TablerIcon;
  label: string;
  keys: string;
  /** Nothing while there is no step. */
  onClick: (() => void) | undefined;
}

function StepButton({ icon: Icon, label, keys, onClick }: StepButtonProps) {
  return (
    <Tooltip label={onClick ? `${label} (${keys})` : label} multiline maw={320}>
      {/* It stays in the order of the keyboard, so that the focus is not lost with the last step. */}
      <ActionIcon variant="subtle" size={36} opacity={onClick ? 1 : 0.45} onClick={onClick} aria-label={label} aria-disabled={!onClick || undefined}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Says what a step did: `remove Hero: Welcome`. */
function stepText({ change, slots, versions }: Step): string {
  if (versions) return t('entry.step.loaded');
  if (!change?.name) return t('entry.step.several', { count: Object.keys(slots).length });
  return t(`entry.step.${change.what}`, { name: change.name });
}

/** A step that is typed ends where its input is left. */
function useStepEnds({ form }: Editing): void {
  useEffect(() => {
    const end = () => form.closeStep();
    window.addEventListener('focusout', end);
    return () => window.removeEventListener('focusout', end);
  }, [form]);
}

/** Brings what a step changed into view, in its language. The focus stays where it is, unless that went with the step. */
function showPlace({ type, locale, compare, show }: Editing, { change, slots }: Step): void {
  const path = change?.path ?? Object.keys(slots)[0] ?? '';
  const { field, locale: own } = placeOf(path);
  const wanted = own || (field in type.fields && isTranslated(type, field) ? type.root_locale : locale);
  if (wanted && wanted !== locale && wanted !== compare) show({ locale: wanted });
  const find = () => enclosingPaths(path).flatMap(elementsOf).find((it) => it !== null) ?? null;
  restoreLostFocus(() => focusable(find()));
  requestAnimationFrame(() => requestAnimationFrame(() => find()?.scrollIntoView({ block: 'nearest' })));
}

function elementsOf(path: string): (HTMLElement | null)[] {
  return [document.getElementById(`${fieldId(path)}-row`), document.getElementById(fieldId(path))];
}

function focusable(element: HTMLElement | null): HTMLElement | null {
  return element?.matches('li') ? element.querySelector<HTMLElement>('[data-toggle]') : element;
}
