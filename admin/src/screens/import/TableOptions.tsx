import { Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ContentTypeShape } from '~/api/fields';
import { localeName, t } from '~/i18n';
import { keysOf, type TableColumn, targetsOf } from './columns';
import classes from './import.module.css';

/** The choices for a table. */
export interface TableChoice {
  type: string;
  /** The fields that columns go into; empty for none. */
  map: Readonly<Record<string, string>>;
  key: string;
  status: string;
  locale: string;
}

interface TableOptionsProps {
  types: readonly ContentTypeShape[];
  type: ContentTypeShape | undefined;
  columns: readonly TableColumn[];
  value: TableChoice;
  onChange: (change: Partial<TableChoice>) => void;
}

/** Inputs for the content type of the rows and the fields of the columns. */
export function TableOptions({ types, type, columns, value, onChange }: TableOptionsProps) {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" className={classes.options}>
        <Select
          label={t('import.type')}
          description={t('import.typeHint')}
          placeholder={t('import.typeChoose')}
          data={types.map((it) => ({ value: it.name, label: it.label }))}
          value={value.type || null}
          onChange={(name) => name && onChange({ type: name })}
          searchable
          required
        />
        <StatusChoice value={value.status} onChange={(status) => onChange({ status })} standard="draft" />
        {type && (
          <Select
            label={t('import.key')}
            description={t('import.keyHint')}
            data={[{ value: '', label: t('import.keyAuto') }, ...keysOf(type).map((it) => ({ value: it, label: labelOf(type, it) }))]}
            value={value.key}
            onChange={(key) => onChange({ key: key ?? '' })}
            allowDeselect={false}
          />
        )}
        {type && type.locales.length > 1 && (
          <Select
            label={t('import.locale')}
            description={t('import.localeHint')}
            data={type.locales.map((it) => ({ value: it, label: localeName(it) }))}
            value={value.locale || type.root_locale}
            onChange={(locale) => onChange({ locale: locale ?? '' })}
            allowDeselect={false}
          />
        )}
      </SimpleGrid>
      {type && columns.length > 0 && <Columns type={type} columns={columns} map={value.map} onChange={(map) => onChange({ map })} />}
      {type && columns.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('import.noColumns')}
        </Text>
      )}
    </Stack>
  );
}

interface ColumnsProps {
  type: ContentTypeShape;
  columns: readonly TableColumn[];
  map: TableChoice['map'];
  onChange: (map: TableChoice['map']) => void;
}

/** The columns of the table with the fields that they go into. */
function Columns({ type, columns, map, onChange }: ColumnsProps) {
  const targets = targetsOf(type);
  const known = new Set(targets.map((it) => it.value));
  return (
    <table className={classes.columns}>
      <caption>{t('import.columns')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('import.column')}</th>
          <th scope="col">{t('import.sample')}</th>
          <th scope="col">{t('import.field')}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, sample }) => {
          const target = map[name] ?? '';
          // A title or field in another language is not in the list of every column.
          const own = target && !known.has(target) ? [{ value: target, label: target }] : [];
          return (
            <tr key={name} data-unused={target === '' || undefined}>
              <th scope="row" dir="auto">
                {name}
              </th>
              <td dir="auto">{sample}</td>
              <td>
                <Select
                  aria-label={t('import.fieldOf', { column: name })}
                  data={[{ value: '', label: t('import.leaveOut') }, ...own, ...targets]}
                  value={target}
                  onChange={(field) => onChange({ ...map, [name]: field ?? '' })}
                  allowDeselect={false}
                  searchable
                  size="xs"
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function labelOf(type: ContentTypeShape, name: string): string {
  return type.fields[name]?.label ?? name;
}

interface StatusChoiceProps {
  value: string;
  onChange: (status: string) => void;
  standard: 'draft' | 'published';
}

/** The status of entries that name none. */
export function StatusChoice({ value, onChange, standard }: StatusChoiceProps) {
  return (
    <Select
      label={t('import.status')}
      description={t('import.statusHint')}
      data={(['draft', 'published'] as const).map((it) => ({ value: it, label: t(`general.status.${it}`) }))}
      value={value || standard}
      onChange={(status) => onChange(status ?? '')}
      allowDeselect={false}
      maw={420}
    />
  );
}
