import { List, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { briefQuery } from '~/api/briefs';
import { isApiError } from '~/api/error';
import type { FieldDefinition } from '~/api/fields';
import { queryClient } from '~/api/query';
import { useMe } from '~/api/session';
import { formatList, t } from '~/i18n';
import { mediaItemQuery } from '~/media/queries';
import { confirm, Refused, showError } from '~/ui/feedback';
import { type Clip, keptClip, subscribeToClip } from './clip';
import { type Fitted, fitRows, type Reference } from './fit';

/** The clip that was kept last, for as long as nothing else was copied. */
export function useKeptClip(): Clip | undefined {
  const { id } = useMe();
  return useSyncExternalStore(subscribeToClip, () => keptClip(id));
}

interface PasteOptions {
  definition: FieldDefinition;
  workspace: string;
  /** The number of rows for which there is room. */
  room: number;
}

/**
 * Makes rows of a clip that the field can take, after telling what is lost on the way. Gives nothing
 * when there are none, or when the user thinks better of it.
 */
export async function fitClip(clip: Clip, { definition, workspace, room }: PasteOptions): Promise<readonly unknown[] | undefined> {
  const first = fitRows(definition, clip.rows);
  if (first.rows.length === 0) return refuse(t('fields.rows.paste.none', { names: formatList(first.refused.slice(0, 5)) }));
  if (first.rows.length > room) return refuse(t('fields.rows.paste.full', { count: first.rows.length, room }));
  const missing = await findMissing(first.references, workspace);
  const isThere = (reference: Reference) => !missing.has(keyOf(reference));
  const fitted = missing.size > 0 ? fitRows(definition, clip.rows, isThere) : first;
  const notes = notesOf(fitted, clip, workspace, isThere);
  if (notes.length === 0) return fitted.rows;
  const isSure = await confirm({
    title: t('fields.rows.paste.title', { count: fitted.rows.length }),
    body: <Notes notes={notes} />,
    action: t('fields.rows.paste.action'),
  });
  return isSure ? fitted.rows : undefined;
}

function refuse(message: string): undefined {
  showError(new Refused(message));
  return undefined;
}

interface Note {
  text: string;
  names: readonly string[];
}

function notesOf({ refused, dropped, references }: Fitted, clip: Clip, workspace: string, isThere: (it: Reference) => boolean): Note[] {
  const links = references.filter((it) => it.kind === 'link' && !isThere(it)).map((it) => `recto:${it.type}/${it.name}`);
  const foreign = clip.workspace === workspace ? [] : references.filter((it) => it.kind !== 'link' && isThere(it)).map((it) => it.name);
  const notes = [
    { text: t('fields.rows.paste.refused'), names: refused },
    { text: t('fields.rows.paste.dropped'), names: dropped },
    { text: t('fields.rows.paste.links'), names: links },
    { text: t('fields.rows.paste.foreign', { workspace: clip.workspace || '?' }), names: foreign },
  ];
  return notes.map((it) => ({ ...it, names: [...new Set(it.names)] })).filter((it) => it.names.length > 0);
}

/** The names that a list shows before it says how many more there are. */
const SHOWN = 12;

function Notes({ notes }: { notes: readonly Note[] }) {
  return notes.map(({ text, names }) => (
    <div key={text}>
      <Text size="sm" fw={600} mt="xs">
        {text}
      </Text>
      <List size="sm">
        {names.slice(0, SHOWN).map((name) => (
          <List.Item key={name}>{name}</List.Item>
        ))}
        {names.length > SHOWN && <List.Item>{t('fields.more', { count: names.length - SHOWN })}</List.Item>}
      </List>
    </div>
  ));
}

function keyOf({ kind, type, name }: Reference): string {
  return kind === 'media' ? `media/${name}` : `entry/${type}/${name}`;
}

/** The most references that the server is asked about. */
const MOST = 200;

/** Asks which of the files and entries are not there, or not for this user. */
async function findMissing(references: readonly Reference[], workspace: string): Promise<ReadonlySet<string>> {
  const all = [...new Map(references.map((it) => [keyOf(it), it])).entries()].slice(0, MOST);
  const answers = await Promise.all(all.map(async ([key, it]) => ((await isMissing(it, workspace)) ? [key] : [])));
  return new Set(answers.flat());
}

async function isMissing({ kind, type, name }: Reference, workspace: string): Promise<boolean> {
  try {
    if (kind === 'media') await queryClient.fetchQuery({ ...mediaItemQuery(workspace, name), retry: false });
    else return (await queryClient.fetchQuery(briefQuery(workspace, type, name))) === null;
    return false;
  } catch (error) {
    // What cannot be found out just now stays: the server has the last word on it.
    return isApiError(error) && (error.status === 404 || error.status === 403 || error.status === 400);
  }
}
