import { ActionIcon, Button, Group, Input, MultiSelect, Select, Stack, TagsInput, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { selectOptions } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { conditionValues, firstCondition, usableInConditions, writtenCondition } from '../draft/conditions';
import { containerOf, type DraftField, fieldsIn, ROOT } from '../draft/draft';
import { nodeLabel, setDefinition } from '../draft/edit';
import classes from '../types.module.css';

/** The condition for showing a field: other fields beside it, and the values they must have. */
export function VisibleIf({ field }: { field: DraftField }) {
  const { draft, change, readOnly } = useBuilder();
  const conditions = field.definition.visible_if ?? {};
  const used = Object.keys(conditions);
  const container = containerOf(draft, field.uid);
  const neighbours = fieldsIn(draft, container).filter((it) => it.uid !== field.uid);
  const usable = usableInConditions(neighbours, container === ROOT);
  const free = usable.filter((it) => !used.includes(it.key));
  const write = (next: Readonly<Record<string, unknown>>) =>
    change((it) => setDefinition(it, field.uid, { visible_if: Object.keys(next).length > 0 ? { ...next } : undefined }));
  const replace = (from: string, to: string, value: unknown) =>
    write(Object.fromEntries(Object.entries(conditions).map(([key, it]) => (key === from ? [to, value] : [key, it]))));
  const remove = (key: string) => write(Object.fromEntries(Object.entries(conditions).filter(([it]) => it !== key)));
  const blank = (key: string) => firstCondition(usable.find((it) => it.key === key)?.definition);
  return (
    <Input.Wrapper label={t('types.visibleIf')} labelElement="div" description={t('types.visibleIfHint')}>
      <Stack gap="xs" mt={6}>
        {Object.entries(conditions).map(([key, value]) => {
          const other = neighbours.find((it) => it.key === key);
          const choices = [...(other ? [other] : []), ...free].map((it) => ({ value: it.key, label: nodeLabel(it) }));
          return (
            <Group key={key} gap={6} wrap="nowrap" align="flex-start">
              <Select
                flex={1}
                aria-label={t('types.conditionField')}
                data={other ? choices : [{ value: key, label: key }, ...choices]}
                value={key}
                onChange={(to) => to && to !== key && replace(key, to, blank(to))}
              />
              <Text size="sm" pt={8} aria-hidden>
                =
              </Text>
              <ConditionValue other={other} value={value} onChange={(next) => replace(key, key, next)} />
              {!readOnly && (
                <ActionIcon mt={4} onClick={() => remove(key)} aria-label={t('types.removeNamed', { name: other ? nodeLabel(other) : key })}>
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          );
        })}
        {!readOnly && (
          <Button
            variant="default"
            size="xs"
            className={classes.start}
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={free.length === 0}
            onClick={() => free[0] && write({ ...conditions, [free[0].key]: blank(free[0].key) })}
          >
            {t('types.addCondition')}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

interface ConditionValueProps {
  other: DraftField | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** The values that make the field visible, given the way the other field takes them. */
function ConditionValue({ other, value, onChange }: ConditionValueProps) {
  const label = t('types.conditionValue');
  const definition = other?.definition;
  if (definition?.type === 'boolean') {
    return (
      <Select
        flex={1}
        aria-label={label}
        data={[
          { value: 'true', label: t('types.yes') },
          { value: 'false', label: t('types.no') },
        ]}
        value={value === true ? 'true' : 'false'}
        onChange={(next) => onChange(next === 'true')}
      />
    );
  }
  const values = conditionValues(value);
  const write = (next: readonly string[]) => onChange(writtenCondition(next, definition));
  const common = { flex: 1, 'aria-label': label, value: [...values], onChange: write };
  if (definition?.type === 'select') {
    return <MultiSelect {...common} data={selectOptions(definition)} placeholder={values.length === 0 ? t('types.conditionPick') : ''} />;
  }
  return <TagsInput {...common} placeholder={values.length === 0 ? t('types.conditionType') : ''} />;
}
