import { ActionIcon, Button, Group, Select, TagsInput, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldLabel } from '~/api/fields';
import { OPERATORS, type Operator, takesMany } from '~/api/operators';
import { t } from '~/i18n';
import { operatorName } from '~/ui/operators';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { ROOT } from '../draft/draft';
import { OWN_TIMES } from '../draft/feed';
import { type Condition, conditionsOf, filterOf, type View } from '../draft/views';
import classes from '../types.module.css';

interface ViewConditionsProps {
  view: View;
  /** The name of the list. */
  name: string;
  onChange: (filter: Record<string, unknown> | undefined) => void;
}

/** The tests that entries of a list have to pass. */
export function ViewConditions({ view, name, onChange }: ViewConditionsProps) {
  const { draft, defects, readOnly } = useBuilder();
  const [conditions, setConditions] = useState(() => conditionsOf(view.filter));
  const [written, setWritten] = useState(view.filter);
  // Somebody changed the filter by other means: in the JSON view, or by a rename.
  if (view.filter !== written) {
    setWritten(view.filter);
    setConditions(conditionsOf(view.filter));
  }
  const apply = (next: readonly Condition[]) => {
    const filter = filterOf(next, Object.fromEntries(draft.fields.map((it) => [it.key, it.definition])));
    setConditions([...next]);
    setWritten(filter);
    onChange(filter);
  };
  const first = draft.fields.find((it) => it.key === 'title')?.key ?? draft.fields[0]?.key ?? 'title';
  return (
    <div role="group" aria-label={t('types.views.filter')}>
      <Text size="sm" fw={500} component="div">
        {t('types.views.filter')}
      </Text>
      {conditions.length === 0 && (
        <Text size="xs" c="dimmed">
          {t('types.views.filterNone')}
        </Text>
      )}
      {conditions.map((condition, index) => (
        <ConditionRow
          // A test has no other name than its place.
          key={index}
          condition={condition}
          place={index + 1}
          error={defectOf(defects, ROOT, `views.${name}.filter.${condition.field}`)}
          onChange={(next) => apply(conditions.with(index, next))}
          onRemove={() => apply(conditions.toSpliced(index, 1))}
        />
      ))}
      {!readOnly && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={4}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => apply([...conditions, { field: first, operator: 'eq', value: '' }])}
        >
          {t('types.views.addCondition')}
        </Button>
      )}
    </div>
  );
}

interface ConditionRowProps {
  condition: Condition;
  place: number;
  error: string | undefined;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

function ConditionRow({ condition, place, error, onChange, onRemove }: ConditionRowProps) {
  const { draft, readOnly } = useBuilder();
  const { field, operator, value } = condition;
  const fields = [
    ...draft.fields.filter((it) => it.key !== '').map((it) => ({ value: it.key, label: fieldLabel(it.key, it.definition) })),
    ...OWN_TIMES.map((it) => ({ value: it as string, label: t(`types.feed.${it}`) })),
  ];
  const kind = draft.fields.find((it) => it.key === field)?.definition.type;
  const isDate = kind === 'date' || kind === 'datetime' || OWN_TIMES.some((it) => it === field);
  return (
    <div className={classes.condition}>
      <Select
        aria-label={t('types.views.conditionField', { place })}
        data={fields.some((it) => it.value === field) ? fields : [...fields, { value: field, label: field }]}
        value={field}
        onChange={(next) => next && onChange({ ...condition, field: next })}
        error={error}
        searchable
      />
      <Select
        aria-label={t('types.views.conditionOperator', { place })}
        data={OPERATORS.map((it) => ({ value: it, label: operatorName(it, isDate) }))}
        value={operator}
        onChange={(next) => {
          const chosen = OPERATORS.find((it) => it === next);
          if (chosen) onChange({ field, operator: chosen, value: valueFor(chosen, value) });
        }}
      />
      <Group gap={4} wrap="nowrap" align="flex-start">
        <ConditionValue condition={condition} place={place} onChange={(next) => onChange({ ...condition, value: next })} />
        {!readOnly && (
          <ActionIcon mt={4} onClick={onRemove} aria-label={t('types.views.removeCondition', { place })}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </div>
  );
}

/** The value that a test keeps when it is compared in another way. */
function valueFor(operator: Operator, value: Condition['value']): Condition['value'] {
  const list = [value].flat().filter(Boolean);
  if (operator === 'empty') return 'true';
  return takesMany(operator) ? list : (list[0] ?? '');
}

interface ConditionValueProps {
  condition: Condition;
  place: number;
  onChange: (value: Condition['value']) => void;
}

function ConditionValue({ condition: { operator, value }, place, onChange }: ConditionValueProps) {
  const label = t('types.views.conditionValue', { place });
  if (takesMany(operator)) {
    return <TagsInput flex={1} aria-label={label} placeholder={value.length === 0 ? t('content.valuesHint') : ''} value={[value].flat()} onChange={onChange} />;
  }
  if (operator === 'empty') {
    const data = [
      { value: 'true', label: t('content.yes') },
      { value: 'false', label: t('content.no') },
    ];
    return <Select flex={1} aria-label={label} data={data} value={String(value)} onChange={(next) => onChange(next ?? 'true')} />;
  }
  return <TextInput flex={1} aria-label={label} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)} />;
}
