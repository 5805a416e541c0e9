import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type EntryBrief, briefQuery } from '~/api/briefs';
import { api, call } from '~/api/client';
import { ApiError } from '~/api/error';
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import { queryClient } from '~/api/query';
import { t } from '~/i18n';
import { showDone, showError } from '~/ui/feedback';
import { useSaveKey } from '~/ui/keys';
import { FieldInput } from '../FieldInput';
import { FieldScope } from '../scope';
import { isVisible } from '../visible';

interface CreateEntryProps {
  type: ContentTypeShape;
  /** What was typed in search of it. */
  title: string;
  /** What the field is called that the entry is made for. */
  field: string;
  workspace: string;
  onClose: () => void;
  onCreated: (entry: EntryBrief) => void;
}

const NONE: Readonly<Record<string, string>> = {};

/** Makes an entry on the way, with as little as its type needs; the rest can be added later. */
export function CreateEntry({ type, title, field, workspace, onClose, onCreated }: CreateEntryProps) {
  const scope = useId();
  const [values, setValues] = useState<Record<string, unknown>>({ ...defaults(type), title });
  const create = useMutation({
    mutationFn: async () =>
      (await call(api.POST('/admin/api/content/{collection}', { params: { path: { collection: type.name } }, body: values }))).data,
    onSuccess: (entry) => {
      queryClient.setQueryData(briefQuery(workspace, type.name, entry.id).queryKey, entry);
      showDone(t('fields.relation.created', { title: entry.title }));
      onCreated(entry);
    },
    onError: (error) => {
      // What belongs to a field that is not shown here still has to be said.
      if (!(error instanceof ApiError) || !Object.keys(error.fields).some((path) => needed.some(([name]) => path.startsWith(name)))) showError(error);
    },
  });
  const save = () => !create.isPending && create.mutate();
  useSaveKey(save);
  const needed = Object.entries(type.fields).filter(([name, it]) => name === 'title' || (it.required && isVisible(it, values)));
  const errors = create.error instanceof ApiError ? create.error.fields : NONE;
  const context = { workspace, type: type.name, id: undefined, locale: '' };
  return (
    <Drawer
      opened
      onClose={onClose}
      size="lg"
      title={t('fields.relation.createTitle', { type: type.label, field })}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <FieldScope prefix={`${scope}-`}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // A form inside a form would send the outer one, too.
            event.stopPropagation();
            save();
          }}
        >
          <Stack>
            {needed.map(([name, definition]) => (
              <FieldInput
                key={name}
                path={name}
                name={name}
                definition={definition}
                value={values[name]}
                onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
                context={context}
                errors={errors}
              />
            ))}
            <Text size="xs" c="dimmed">
              {t('fields.relation.createHint')}
            </Text>
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                {t('general.cancel')}
              </Button>
              <Button type="submit" loading={create.isPending}>
                {t('general.create')}
              </Button>
            </Group>
          </Stack>
        </form>
      </FieldScope>
    </Drawer>
  );
}

function defaults(type: ContentTypeShape): Record<string, unknown> {
  const given = Object.entries(type.fields).filter(([, it]: [string, FieldDefinition]) => it.default !== undefined);
  return Object.fromEntries(given.map(([name, it]) => [name, it.default]));
}
