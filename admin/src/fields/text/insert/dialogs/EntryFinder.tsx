import { Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { api, call, request } from '~/api/client';
import type { EntryBrief } from '~/api/briefs';
import { queryKeys } from '~/api/keys';
import { useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { optionsInputProps, placeAfterKey } from '~/ui/option-keys';
import { StatusChip } from '~/ui/StatusChip';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import type { FieldContext } from '../../../types';
import classes from '../insert.module.css';
import type { EntryReference } from '../links/entries';

/** An entry that is offered. */
export interface FoundEntry extends EntryReference, Pick<EntryBrief, 'title' | 'status' | 'published_at' | 'unpublish_at'> {
  typeLabel: string;
  icon: string;
}

interface EntryFinderProps {
  /** The entry that is being written: it is not offered, and those of its type are before anything is typed. */
  context?: Pick<FieldContext, 'type' | 'id'>;
  /** The words to begin with. */
  initial: string;
  onChoose: (entry: FoundEntry) => void;
}

const NOWHERE = { type: '', id: undefined };

/** Finds entries of all types by words; before that, the newest of the type that is being written. */
export default function EntryFinder({ context = NOWHERE, initial, onChoose }: EntryFinderProps) {
  const list = useId();
  const [query, setQuery] = useState(initial);
  const [active, setActive] = useState(0);
  const options = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const { entries, searching, failed } = useFoundEntries(context, query);
  const at = Math.min(active, entries.length - 1);
  // Enter before the answer means the best of what it brings.
  const [waiting, setWaiting] = useState(false);
  const best = waiting && !searching ? entries[0] : undefined;
  const chooseBest = useEffectEvent(onChoose);
  useEffect(() => {
    if (best) chooseBest(best);
  }, [best]);
  const move = (to: number) => {
    setActive(to);
    options.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const entry = entries[at];
    const next = placeAfterKey(event.key, at, entries.length);
    if (next !== undefined) move(next);
    else if (event.key === 'Enter' && searching) setWaiting(true);
    else if (event.key === 'Enter' && entry) onChoose(entry);
    else return;
    event.preventDefault();
  };
  const found = entries.length > 0;
  return (
    <>
      <div className={classes.search}>
        {searching ? <Loader size={16} aria-hidden /> : <IconSearch size={16} aria-hidden />}
        <input
          ref={input}
          value={query}
          placeholder={t('fields.insert.entrySearch')}
          aria-label={t('fields.insert.entrySearch')}
          {...optionsInputProps(list, at, entries.length)}
          data-autofocus
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
            setWaiting(false);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={options} id={list} role="listbox" aria-label={t('fields.insert.entryTitle')} className={classes.found} hidden={!found}>
        {entries.map((entry, index) => (
          <EntryOption key={`${entry.type}/${entry.id}`} id={`${list}-${index}`} entry={entry} active={index === at} onActive={() => setActive(index)} onChoose={() => onChoose(entry)} />
        ))}
      </div>
      {!found && !searching && (
        <Text size="sm" c="dimmed" ta="center" py="lg">
          {failed ?? t(query.trim() ? 'general.noMatch' : 'fields.insert.entryHint')}
        </Text>
      )}
      <Announce text={searching ? '' : t('fields.insert.entryCount', { count: entries.length })} />
    </>
  );
}

interface EntryOptionProps {
  id: string;
  entry: FoundEntry;
  active: boolean;
  onActive: () => void;
  onChoose: () => void;
}

function EntryOption({ id, entry, active, onActive, onChoose }: EntryOptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={classes.option}
      onMouseMove={() => !active && onActive()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={(event) => event.key === 'Enter' && onChoose()}
    >
      <TypeIcon name={entry.icon} />
      <span className={classes.name}>
        {entry.title || t('general.untitled')}
        <small>{entry.typeLabel}</small>
      </span>
      <StatusChip entry={entry} />
    </div>
  );
}

const MOST = 8;

/** The entries that the server finds; what it found before stays while it looks. */
function useFoundEntries({ type, id }: Pick<FieldContext, 'type' | 'id'>, query: string) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const wanted = query.trim();
  const [q] = useDebouncedValue(wanted, 160);
  const { data, isFetching, error } = useQuery({
    queryKey: [...queryKeys.entryMatches(workspace, type, q), 'links'],
    queryFn: ({ signal }): Promise<Match[]> => (q ? search(q, signal) : newestOf(type, signal)),
    enabled: q !== '' || type !== '',
    placeholderData: keepPreviousData,
    staleTime: 5000,
  });
  const iconOf = (name: string) => types.find((it) => it.name === name)?.icon ?? '';
  const labelOf = (name: string) => types.find((it) => it.name === name)?.label ?? name;
  const entries = (data ?? [])
    .filter((it) => it.type !== type || it.id !== id)
    .map((it): FoundEntry => ({ ...it, typeLabel: labelOf(it.type), icon: iconOf(it.type) }));
  return { entries, searching: isFetching || q !== wanted, failed: error?.message };
}

type Match = Omit<EntryBrief, 'slug'> & { type: string };

async function search(q: string, signal: AbortSignal): Promise<Match[]> {
  return (await call(api.GET('/admin/api/search', { params: { query: { q, limit: MOST } }, signal }))).data.entries;
}

/** The newest entries of a type. */
async function newestOf(type: string, signal: AbortSignal): Promise<Match[]> {
  const query = new URLSearchParams({ limit: String(MOST), fields: 'title', sort: '-updated_at' });
  const { data } = await request<{ data: EntryBrief[] }>(`/admin/api/content/${encodeURIComponent(type)}`, { query, signal });
  return data.map((it) => ({ ...it, type }));
}
