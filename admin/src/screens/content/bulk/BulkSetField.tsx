import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FieldInput } from '~/fields/FieldInput';
import { FieldProblems, useOneProblem } from '~/fields/problems';
import { t } from '~/i18n';
import { isSimple, type ListField } from '../fields';
import { useList } from '../list-context';
import { editedDefinition } from '../table/InlineEdit';

interface BulkSetFieldProps {
  opened: boolean;
  count: number;
  onClose: () => void;
  onSet: (field: ListField, value: unknown) => void;
}

/** Asks which field of the selected entries gets which value. */
export function BulkSetField({ opened, count, onClose, onSet }: BulkSetFieldProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('content.setFieldOf', { count })}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <Form
        count={count}
        onCancel={onClose}
        onSet={(field, value) => {
          onClose();
          onSet(field, value);
        }}
      />
    </Modal>
  );
}

interface FormProps {
  count: number;
  onCancel: () => void;
  onSet: (field: ListField, value: unknown) => void;
}

function Form({ count, onCancel, onSet }: FormProps) {
  const { workspace, type, fields, locale, may } = useList();
  // One value for all cannot be unique.
  const choices = fields.filter(
    (it) => isSimple(it) && !it.definition.unique && it.definition.type !== 'slug' && (it.key !== 'status' || may.publish),
  );
  const [key, setKey] = useState(choices.find((it) => it.key !== 'title')?.key ?? null);
  const [value, setValue] = useState<unknown>(null);
  // What is typed and no value yet would set the one that was typed before.
  const [problem, report] = useOneProblem();
  const field = choices.find((it) => it.key === key);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (field && !problem) onSet(field, value);
      }}
    >
      <Stack gap="md">
        <Select
          label={t('content.field')}
          data={choices.map((it) => ({ value: it.key, label: it.label }))}
          value={key}
          onChange={(next) => {
            setKey(next);
            setValue(null);
          }}
          searchable
          openOnFocus={false}
          data-autofocus
        />
        {field && (
          <FieldProblems onChange={report}>
            <FieldInput
              key={field.key}
              path={`bulk.${field.key}`}
              name={field.label}
              definition={editedDefinition(field)}
              value={value}
              onChange={setValue}
              context={{ workspace, type: type.name, id: undefined, locale }}
              errors={{}}
            />
          </FieldProblems>
        )}
        <Text size="sm" c="dimmed">
          {locale && field?.definition.localized !== false && field?.key !== 'status'
            ? t('content.setFieldLocale', { locale })
            : t('content.setFieldHint')}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('general.cancel')}
          </Button>
          <Button type="submit" disabled={!field || problem !== undefined}>
            {t('content.setFieldAction', { count })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
