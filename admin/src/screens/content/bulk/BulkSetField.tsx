import { Button, Checkbox, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AdminEntry } from '~/api/schema';
import { FieldInput } from '~/fields/FieldInput';
import { FieldValue } from '~/fields/FieldValue';
import { FieldProblems, useOneProblem } from '~/fields/problems';
import { t } from '~/i18n';
import { useReturnFocus } from '~/ui/return-focus';
import { isSimple, type ListField } from '../fields';
import { useList } from '../list-context';
import { editedDefinition } from '../table/InlineEdit';
import { countPublic, hides, isClearable, isSettable, shownValue } from './set-field';

/** One value for many entries. */
export interface SharedValue {
  field: ListField;
  value: unknown;
  /** Names the field and its value, and what that does, where it is asked about once more. */
  about: ReactNode;
}

interface BulkSetFieldProps {
  ids: readonly string[];
  /** The entries that the list shows. */
  rows: readonly AdminEntry[];
  onClose: () => void;
  onSet: (change: SharedValue) => void;
}

/** Asks which field of the selected entries gets which value. Nothing is chosen beforehand. */
export function BulkSetField({ ids, rows, onClose, onSet }: BulkSetFieldProps) {
  useReturnFocus();
  return (
    <Modal opened onClose={onClose} title={t('content.setFieldOf', { count: ids.length })} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <Form
        ids={ids}
        rows={rows}
        onClose={onClose}
        onSet={(change) => {
          onClose();
          onSet(change);
        }}
      />
    </Modal>
  );
}

function Form({ ids, rows, onClose, onSet }: BulkSetFieldProps) {
  const { workspace, type, fields, locale, may } = useList();
  // One value for all cannot be unique.
  const choices = fields.filter(
    (it) => isSimple(it) && !it.definition.unique && it.definition.type !== 'slug' && (it.key !== 'status' || may.publish),
  );
  const [field, setField] = useState<ListField>();
  const [typed, setTyped] = useState<unknown>(null);
  const [clears, setClears] = useState(false);
  // What is typed and no value yet would set the one that was typed before.
  const [problem, report] = useOneProblem();
  const value = clears ? null : typed;
  const isReady = isSettable(field, value, clears) && problem === undefined;
  const isTranslation = locale !== '' && locale !== type.root_locale;
  const context = { workspace, type: type.name, id: undefined, locale };
  const note = field && <Note field={field} value={value} ids={ids} rows={rows} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!field || !isReady) return;
        const about = (
          <>
            <Text inherit fw={700}>{field.label}</Text>
            <FieldValue definition={editedDefinition(field)} value={value} context={context} />
            {note}
            <Text inherit mt="xs">{t('content.manyBody')}</Text>
          </>
        );
        onSet({ field, value, about });
      }}
    >
      <Stack gap="md">
        <Select
          label={t('content.field')}
          placeholder={t('fields.select.one')}
          data={choices.map((it) => ({ value: it.key, label: it.label }))}
          value={field?.key ?? null}
          onChange={(key) => {
            const next = choices.find((it) => it.key === key);
            setField(next);
            setTyped(next && shownValue(next));
            setClears(false);
          }}
          allowDeselect={false}
          searchable
          openOnFocus={false}
          data-autofocus
        />
        {field && !clears && (
          <FieldProblems onChange={report}>
            <FieldInput
              key={field.key}
              path={`bulk.${field.key}`}
              name={field.label}
              definition={editedDefinition(field)}
              value={typed}
              onChange={setTyped}
              context={context}
              errors={{}}
            />
          </FieldProblems>
        )}
        {field && isClearable(field, isTranslation) && (
          <Checkbox label={t('content.setFieldClear')} checked={clears} onChange={(event) => setClears(event.currentTarget.checked)} />
        )}
        {field && (
          <Text size="sm" c="dimmed">
            {locale && field.definition.localized !== false && field.key !== 'status'
              ? t('content.setFieldLocale', { locale })
              : t('content.setFieldHint')}
          </Text>
        )}
        {note}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button type="submit" disabled={!isReady}>
            {t('content.setFieldAction', { count: ids.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Says what readers will miss. */
function Note({ field, value, ids, rows }: Omit<SharedValue, 'about'> & Pick<BulkSetFieldProps, 'ids' | 'rows'>) {
  const count = hides(field, value) ? countPublic(ids, rows) : 0;
  if (count === 0) return null;
  return (
    <Text size="sm" role="status">
      {count === undefined ? t('content.setFieldHidesSome') : t('content.setFieldHides', { count })}
    </Text>
  );
}
