import { Code, Stack, Text, Title } from '@mantine/core';
import { type ContentTypeShape, type FieldDefinition, fieldLabel } from '~/api/fields';
import { t } from '~/i18n';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import classes from './explorer.module.css';
import { valueType } from './typescript';

interface Row {
  name: string;
  field: FieldDefinition;
}

/** The fields of a type, as programs see them. */
export function FieldTable({ type }: { type: ContentTypeShape }) {
  const rows = Object.entries(type.fields).map(([name, field]) => ({ name, field }));
  const yesNo = (yes: boolean) => (yes ? t('explorer.yes') : '–');
  const columns: Column<Row>[] = [
    {
      key: 'name',
      label: t('explorer.fieldName'),
      render: ({ name, field }) => (
        <Stack gap={0}>
          <Code w="fit-content">{name}</Code>
          <Text size="xs" c="dimmed">
            {fieldLabel(name, field)}
          </Text>
        </Stack>
      ),
    },
    { key: 'kind', label: t('explorer.fieldKind'), width: 110, render: ({ field }) => field.type },
    { key: 'required', label: t('explorer.fieldRequired'), width: 90, render: ({ field }) => yesNo(field.required === true) },
    ...(type.locales.length > 0
      ? [{ key: 'localized', label: t('explorer.fieldLocalized'), width: 100, render: ({ field }: Row) => yesNo(field.localized !== false) }]
      : []),
    {
      key: 'json',
      label: t('explorer.fieldJson'),
      render: ({ name, field }) => (
        <Stack gap={0} miw={0}>
          <span className={classes.mono}>{valueType(field)}</span>
          <Text size="xs" c="dimmed">
            {hint(type, name, field)}
          </Text>
        </Stack>
      ),
    },
  ];
  return (
    <Stack gap="xs">
      <Title order={3}>{t('explorer.fields')}</Title>
      <Text size="sm" c="dimmed">
        {t('explorer.fieldsHint')}
      </Text>
      <DataTable caption={t('explorer.fields')} columns={columns} rows={rows} rowKey={(it) => it.name} />
    </Stack>
  );
}

function hint(type: ContentTypeShape, name: string, field: FieldDefinition): string | undefined {
  if (name === 'title' || name === type.slug_field) return t('explorer.atTop');
  if (field.type === 'relation') return t('explorer.relationTo', { type: field.target ?? '' });
  if (field.type === 'media') return t('explorer.mediaUrls');
  if (field.type === 'date') return '2026-05-03';
  if (field.type === 'datetime') return '2026-05-03T12:00:00Z';
  return undefined;
}
