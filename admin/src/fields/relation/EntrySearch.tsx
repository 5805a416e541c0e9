import { Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import type { EntryBrief } from '~/api/briefs';
import { request } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { StatusChip } from '~/ui/StatusChip';
import { descriptionIds } from '../Frame';
import type { InputProps } from '../types';

const CREATE = '\0create';
const MOST = 20;

interface EntrySearchProps {
  input: InputProps;
  inputRef: RefObject<HTMLInputElement | null>;
  type: ContentTypeShape;
  /** Ids that are not offered. */
  without: readonly string[];
  onPick: (entry: EntryBrief) => void;
  onCreate: (title: string) => void;
}

/** Finds entries of a type by words; the newest before anything is typed. */
export function EntrySearch({ input, inputRef, type, without, onPick, onCreate }: EntrySearchProps) {
  const { id, label, error, bare, definition, context } = input;
  const [text, setText] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { found, isFetching, failed } = useEntries(context.workspace, type.name, text, combobox.dropdownOpened);
  const offered = found?.filter((it) => !without.includes(it.id));
  const can = useCan();
  const mayCreate = !type.singleton && can('content.create', `content:${type.name}:*`);

  function submit(option: string) {
    const entry = offered?.find((it) => it.id === option);
    if (option === CREATE) onCreate(text.trim());
    else if (entry) onPick(entry);
    setText('');
    combobox.closeDropdown();
  }

  return (
    <Combobox store={combobox} onOptionSubmit={submit} shadow="md" withinPortal>
      <Combobox.Target>
        <TextInput
          ref={inputRef}
          id={id}
          aria-label={t('fields.relation.find', { field: label })}
          wrapperProps={{ 'aria-describedby': descriptionIds(input) }}
          error={Boolean(error)}
          withAsterisk={!bare && definition.required}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          placeholder={t('fields.relation.placeholder', { type: type.label })}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={isFetching ? <Loader size={14} aria-hidden /> : null}
          autoComplete="off"
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={300} className="scrolls" aria-label={type.label}>
          {offered?.map((entry) => (
            <Combobox.Option key={entry.id} value={entry.id}>
              <Group gap="sm" wrap="nowrap" justify="space-between">
                <Text size="sm" truncate>
                  {entry.title || t('general.untitled')}
                </Text>
                <StatusChip entry={entry} />
              </Group>
            </Combobox.Option>
          ))}
          {failed && <Combobox.Empty>{failed}</Combobox.Empty>}
          {offered?.length === 0 && !isFetching && <Combobox.Empty>{t(text ? 'general.noMatch' : 'fields.relation.noneYet')}</Combobox.Empty>}
          {!offered && !failed && <Combobox.Empty>{t('general.loading')}</Combobox.Empty>}
          {mayCreate && (
            <Combobox.Option value={CREATE}>
              <Group gap={6} wrap="nowrap">
                <IconPlus size={15} aria-hidden />
                <Text size="sm" truncate>
                  {text.trim() ? t('fields.relation.createNamed', { title: text.trim() }) : tSingular('fields.relation.create', type)}
                </Text>
              </Group>
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function useEntries(workspace: string, type: string, text: string, enabled: boolean) {
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data, isFetching, error } = useQuery({
    queryKey: queryKeys.entryMatches(workspace, type, q),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ limit: String(MOST), fields: 'title', ...(q ? { q } : { sort: '-updated_at' }) });
      return (await request<{ data: EntryBrief[] }>(`/admin/api/content/${encodeURIComponent(type)}`, { query, signal })).data;
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  return { found: data, isFetching, failed: error?.message };
}
