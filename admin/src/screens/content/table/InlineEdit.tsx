import { ActionIcon, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { refreshChanges } from '~/api/changes/queries';
import { request } from '~/api/client';
import { ApiError } from '~/api/error';
import type { FieldDefinition } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';
import { FieldInput } from '~/fields/FieldInput';
import { FieldProblems, useOneProblem } from '~/fields/problems';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { showDone } from '~/ui/feedback';
import { STATUSES } from '~/ui/status';
import classes from '../content.module.css';
import { type ListField, valueOf } from '../fields';
import { useList } from '../list-context';
import { replaceEntry } from '../useEntries';
import { useEditing } from './editing';

interface InlineEditProps {
  entry: AdminEntry;
  field: ListField;
  onClose: () => void;
}

/** Changes a value in its cell: Enter saves, Escape leaves it as it was. What is wrong is said in place. */
export function InlineEdit({ entry, field, onClose }: InlineEditProps) {
  const { workspace, type, locale } = useList();
  // What came later is somebody else's: what the user saw when they began counts.
  const [begun] = useState(entry);
  const before = valueOf(begun, field);
  const [value, setValue] = useState<unknown>(before);
  const [refused, setRefused] = useState<ApiError>();
  const [saving, setSaving] = useState(false);
  const [problem, report] = useOneProblem();
  const input = useRef<HTMLDivElement>(null);
  useEffect(() => focusWhenThere(input.current), []);
  const isSame = JSON.stringify(value) === JSON.stringify(before);
  const isUnsaved = !isSame || problem !== undefined;
  const { report: tell } = useEditing();
  useEffect(() => {
    tell(isUnsaved ? () => focusWhenThere(input.current) : undefined);
    return () => tell(undefined);
  }, [tell, isUnsaved]);

  async function save() {
    // What is typed and no value yet is not passed over.
    if (saving || problem) return;
    if (isSame) return onClose();
    setSaving(true);
    try {
      // Somebody who changed it meanwhile is told of first; a second try is meant to win.
      const etag = refused?.refusal.current?.etag ?? begun.etag;
      const saved = await saveValue(entry, field, value, locale, etag);
      if (saved.proposed) {
        // The list shows what is live, and that has not changed.
        showDone(t('content.keptAsDraft'));
        await refreshChanges(workspace);
      } else replaceEntry(workspace, saved.entry);
      onClose();
    } catch (error) {
      setSaving(false);
      if (!(error instanceof ApiError)) throw error;
      setRefused(error);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    } else if (event.key === 'Enter' && !event.shiftKey && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      void save();
    }
  }

  function onBlur(event: FocusEvent<HTMLElement>) {
    // Left without a change, there is nothing to ask. A list of options counts as a part of it.
    const to = event.relatedTarget;
    if (!to || event.currentTarget.contains(to) || to.closest('[data-portal]')) return;
    if (!isUnsaved) onClose();
  }

  const message = refused && messageOf(refused, field.key);
  return (
    <div role="presentation" className={classes.edit} onKeyDown={onKeyDown} onBlur={onBlur}>
      <div ref={input}>
        <FieldProblems onChange={report}>
          <FieldInput
            bare
            path={`${entry.id}.${field.key}`}
            name={field.label}
            definition={editedDefinition(field)}
            value={value}
            onChange={setValue}
            context={{ workspace, type: type.name, id: entry.id, locale }}
            errors={{}}
            readOnly={saving}
          />
        </FieldProblems>
      </div>
      {message && (
        <Text size="xs" c="red" mt={4} role="alert">
          {message}
        </Text>
      )}
      <Group gap={4} mt={4}>
        <ActionIcon size="sm" variant="filled" color="ink" aria-label={t('general.save')} loading={saving} onClick={save}>
          <IconCheck size={14} aria-hidden />
        </ActionIcon>
        <ActionIcon size="sm" variant="default" aria-label={t('general.cancel')} onClick={onClose}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {t('content.editHint')}
        </Text>
      </Group>
      {saving && <Announce text={t('general.loading')} />}
    </div>
  );
}

/** Puts the keyboard into an input, which may still have to be loaded. */
function focusWhenThere(around: HTMLElement | null): (() => void) | undefined {
  const focus = () => {
    const input = around?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, button');
    input?.focus();
    return input !== null && input !== undefined;
  };
  if (!around || focus()) return undefined;
  const watch = new MutationObserver(() => focus() && watch.disconnect());
  watch.observe(around, { childList: true, subtree: true });
  return () => watch.disconnect();
}

/** The definition that a value is edited by: the status is a choice like any other. */
export function editedDefinition({ key, definition, label }: ListField): FieldDefinition {
  if (key !== 'status') return { ...definition, label };
  const options = STATUSES.map((value) => ({ value, label: t(`general.status.${value}`) }));
  return { type: 'select', label, required: true, options };
}

/** Returns the body of a request that changes one value. */
export function changeBody(field: ListField, value: unknown, locale: string): Record<string, unknown> {
  const own = field.key === 'title' || field.key === 'slug' || field.key === 'status';
  return { ...(own ? { [field.key]: value } : { data: { [field.key]: value } }), ...(locale && { locale }) };
}

interface Saved {
  entry: AdminEntry;
  /** True if it is kept beside what is live, as the server does for those who may not publish. */
  proposed: boolean;
}

/** Changes one value of an entry, unless somebody changed the entry meanwhile. */
export async function saveValue(entry: AdminEntry, field: ListField, value: unknown, locale: string, etag: string): Promise<Saved> {
  const path = `/admin/api/content/${entry.type}/${entry.id}`;
  const query = new URLSearchParams(locale ? { locale } : {});
  const headers = { 'If-Match': `"${etag}"` };
  const json = changeBody(field, value, locale);
  const { data, meta } = await request<{ data: AdminEntry; meta?: { change?: string } }>(path, { method: 'PATCH', query, headers, json });
  return { entry: data, proposed: meta?.change !== undefined };
}

function messageOf(refused: ApiError, key: string): string {
  if (refused.code === 'precondition_failed') return t('content.editConflict');
  return refused.fields[key] ?? refused.fields[`data.${key}`] ?? refused.message;
}
