import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Operator, takesMany } from '~/api/operators';
import { t } from '~/i18n';
import { type ListField, operatorsOf } from '../fields';
import { useList } from '../list-context';
import { operatorLabel } from './filter-text';
import { type Filter, isComplete } from './filters';
import { FilterValue } from './FilterValue';

interface FilterFormProps {
  /** The filter to change; without one, a new one is made. */
  initial?: Filter | undefined;
  onApply: (filter: Filter) => void;
}

/** Asks for a filter: which field, how it is compared, and with what. */
export function FilterForm({ initial, onApply }: FilterFormProps) {
  const { fields } = useList();
  const [filter, setFilter] = useState<Filter>(initial ?? blank(fields[0]));
  const field = fields.find((it) => it.key === filter.field);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(filter)) onApply(filter);
      }}
    >
      <Stack gap="xs" w={{ base: '100%', sm: 300 }}>
        <Select
          label={t('content.field')}
          data={[
            { group: t('content.fieldsOfType'), items: fields.filter((it) => !it.system).map(asOption) },
            { group: t('content.fieldsOfAll'), items: fields.filter((it) => it.system).map(asOption) },
          ]}
          value={filter.field}
          onChange={(key) => setFilter(blank(fields.find((it) => it.key === key)))}
          searchable
          openOnFocus={false}
          nothingFoundMessage={t('general.noMatch')}
          comboboxProps={{ withinPortal: false }}
          data-autofocus
        />
        {field && (
          <Select
            label={t('content.comparison')}
            data={operatorsOf(field).flatMap((operator) =>
              operator === 'empty'
                ? (['true', 'false'] as const).map((value) => ({ value: `empty ${value}`, label: operatorLabel(field, operator, value) }))
                : [{ value: operator, label: operatorLabel(field, operator) }],
            )}
            value={filter.operator === 'empty' ? `empty ${filter.value}` : filter.operator}
            onChange={(choice) => choice && setFilter(compared(filter, choice))}
            comboboxProps={{ withinPortal: false }}
          />
        )}
        {field && filter.operator !== 'empty' && (
          <FilterValue
            key={`${filter.field} ${takesMany(filter.operator)}`}
            field={field}
            many={takesMany(filter.operator)}
            value={filter.value}
            onChange={(value) => setFilter({ ...filter, value })}
          />
        )}
        <Group justify="flex-end" mt={4}>
          <Button type="submit" disabled={!isComplete(filter)}>
            {initial ? t('content.applyFilter') : t('content.addFilter')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function asOption(field: ListField) {
  return { value: field.key, label: field.label };
}

function blank(field: ListField | undefined): Filter {
  const operator = (field && operatorsOf(field)[0]) ?? 'eq';
  return { field: field?.key ?? '', operator, value: operator === 'empty' ? 'true' : takesMany(operator) ? [] : '' };
}

/** The filter with another comparison, which keeps the value as far as it can. */
function compared(filter: Filter, choice: string): Filter {
  const [operator, empty] = choice.split(' ') as [Operator, string | undefined];
  if (operator === 'empty') return { ...filter, operator, value: empty ?? 'true' };
  const values = filter.operator === 'empty' ? [] : [filter.value].flat().filter(Boolean);
  return { ...filter, operator, value: takesMany(operator) ? values : (values[0] ?? '') };
}
