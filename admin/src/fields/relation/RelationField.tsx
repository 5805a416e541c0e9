import { Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { type EntryBrief, useBriefs } from '~/api/briefs';
import { useContentType } from '~/api/session';
import { t } from '~/i18n';
import { later } from '~/ui/later';
import { chosenValues } from '../options';
import { Frame } from '../Frame';
import type { InputProps } from '../types';
import { SortableList } from '../sort/SortableList';
import { moveItem } from '../sort/order';
import { EntrySearch } from './EntrySearch';
import { PickedEntry } from './PickedEntry';

const CreateEntry = later(() => import('./CreateEntry').then((it) => it.CreateEntry));

/** Other entries that this one refers to: looked up by words, put in order, made on the way. */
export default function RelationField(props: InputProps) {
  const { value, onChange, definition, readOnly, context, id, label } = props;
  const { target = '', multiple = false, max_items = Number.POSITIVE_INFINITY } = definition;
  const ids = chosenValues(value);
  const type = useContentType(context.workspace, target);
  const briefs = useBriefs(context.workspace, target, ids);
  const [creating, drawer] = useDisclosure(false);
  const [draft, setDraft] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const [refocus, setRefocus] = useState(0);
  useEffect(() => {
    // The search is back as soon as there is room for another entry.
    if (refocus > 0) search.current?.focus();
  }, [refocus]);

  function pick(entry: Pick<EntryBrief, 'id'>) {
    if (!multiple) onChange(entry.id);
    else if (!ids.includes(entry.id)) onChange([...ids, entry.id]);
  }

  function remove(gone: string) {
    onChange(multiple ? ids.filter((it) => it !== gone) : null);
    setRefocus(refocus + 1);
  }

  const nameOf = (key: string) => briefs.get(key)?.title || key;
  const room = multiple ? ids.length < max_items : ids.length === 0;
  return (
    <Frame input={props}>
      <Stack gap={6}>
        {ids.length > 0 && (
          <SortableList keys={ids} nameOf={nameOf} onMove={(from, to) => onChange(moveItem(ids, from, to))}>
            <Stack component="ul" gap={4} p={0} m={0}>
              {ids.map((it) => (
                <PickedEntry
                  key={it}
                  id={it}
                  brief={briefs.get(it)}
                  workspace={context.workspace}
                  type={target}
                  sortable={multiple && !readOnly && ids.length > 1}
                  onRemove={readOnly ? undefined : remove}
                  focusId={room ? undefined : id}
                />
              ))}
            </Stack>
          </SortableList>
        )}
        {!type && <Text size="sm" c="dimmed">{target ? t('fields.relation.noType', { type: target }) : t('fields.relation.noTarget')}</Text>}
        {type && !readOnly && room && (
          <EntrySearch
            input={props}
            inputRef={search}
            type={type}
            without={target === context.type && context.id ? [...ids, context.id] : ids}
            onPick={pick}
            onCreate={(title) => {
              setDraft(title);
              drawer.open();
            }}
          />
        )}
        {readOnly && ids.length === 0 && (
          <Text size="sm" c="dimmed" id={id} tabIndex={-1}>
            {t('fields.relation.none')}
          </Text>
        )}
      </Stack>
      {type && creating && (
        <CreateEntry
          type={type}
          title={draft}
          field={label}
          workspace={context.workspace}
          onClose={drawer.close}
          onCreated={(entry) => {
            drawer.close();
            pick(entry);
          }}
        />
      )}
    </Frame>
  );
}
