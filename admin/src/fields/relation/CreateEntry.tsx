import { Drawer, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { type EntryBrief, briefQuery } from '~/api/briefs';
import { api, call } from '~/api/client';
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import { queryClient } from '~/api/query';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { showDone, showError } from '~/ui/feedback';
import { refusedFields } from '~/ui/FormError';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useReturnFocus } from '~/ui/return-focus';
import { useRecordForm } from '~/ui/useRecordForm';
import { NestedInput } from '../nested';
import { FieldScope } from '../scope';
import { UndoOfferProvider } from '../undo-offer';
import { isVisible } from '../visible';

interface CreateEntryProps {
  type: ContentTypeShape;
  /** The text that was typed in search of it. */
  title: string;
  /** The label of the field that the entry is made for. */
  field: string;
  workspace: string;
  onClose: () => void;
  onCreated: (entry: EntryBrief) => void;
}

/** Makes an entry on the way, with as little as its type needs; the rest can be added later. */
export function CreateEntry({ type, title, field, workspace, onClose, onCreated }: CreateEntryProps) {
  useReturnFocus();
  const scope = useId();
  const [stored] = useState<Record<string, unknown>>(() => ({ ...defaults(type), title }));
  const form = useRecordForm({
    stored,
    allowUnchanged: true,
    save: async (body) =>
      (await call(api.POST('/admin/api/content/{collection}', { params: { path: { collection: type.name } }, body }))).data,
    onSaved: (entry) => {
      queryClient.setQueryData(briefQuery(workspace, type.name, entry.id).queryKey, entry);
      showDone(t('fields.relation.created', { title: entry.title }));
      onCreated(entry);
    },
    onError: (error) => {
      // What belongs to a field that is not shown here still has to be said.
      const isShown = Object.keys(refusedFields(error)).some((path) => needed.some(([name]) => path.startsWith(name)));
      if (!isShown) showError(error);
    },
  });
  const { values } = form;
  const needed = Object.entries(type.fields).filter(([name, it]) => name === 'title' || (it.required && isVisible(it, (other) => values[other])));
  const context = { workspace, type: type.name, id: undefined, locale: '' };
  return (
    <Drawer
      opened
      onClose={onClose}
      size="lg"
      title={tSingular('fields.relation.createTitle', type, { field })}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <FieldScope prefix={`${scope}-`}>
        {/* The steps of the form behind are not those of this one. */}
        <UndoOfferProvider value={undefined}>
          <RecordForm form={form} withAlert={false} noValidate>
            {needed.map(([name, definition]) => (
              <NestedInput
                key={name}
                path={name}
                name={name}
                definition={definition}
                value={values[name]}
                onChange={(value) => form.setValues({ [name]: value })}
                context={context}
                errors={form.errors}
              />
            ))}
            <Text size="xs" c="dimmed">
              {t('fields.relation.createHint')}
            </Text>
            <FormFooter form={form} submitLabel={t('general.create')} onClose={onClose} gap="xs" />
          </RecordForm>
        </UndoOfferProvider>
      </FieldScope>
    </Drawer>
  );
}

function defaults(type: ContentTypeShape): Record<string, unknown> {
  const given = Object.entries(type.fields).filter(([, it]: [string, FieldDefinition]) => it.default !== undefined);
  return Object.fromEntries(given.map(([name, it]) => [name, it.default]));
}
