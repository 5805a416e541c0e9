import { Group, MultiSelect, Switch, TagsInput, Text } from '@mantine/core';
import { t } from '~/i18n';
import { STATUSES } from '~/ui/status';
import { useTypesOf } from './data';
import { AREAS } from './actions';
import { cleanConditions, type GrantShape } from './shape';

interface ConditionsProps {
  shape: GrantShape;
  onChange: (shape: GrantShape) => void;
  readOnly: boolean;
}

/** The conditions under which a grant counts. */
export function Conditions({ shape, onChange, readOnly }: ConditionsProps) {
  const { conditions, effect } = shape;
  const types = useTypesOf(shape.scope);
  const set = (change: GrantShape['conditions']) => onChange({ ...shape, conditions: cleanConditions({ ...conditions, ...change }) });
  const asks = Object.keys(conditions).length > 0;
  const elsewhere = AREAS.some((area) => area !== 'content' && area !== 'media' && (shape.areas[area]?.actions.length ?? 0) > 0);
  return (
    <div role="group" aria-label={t(effect === 'deny' ? 'roles.grants.conditionsDeny' : 'roles.grants.conditions')}>
      <Text size="sm" fw={600} mb="xs">
        {t(effect === 'deny' ? 'roles.grants.conditionsDeny' : 'roles.grants.conditions')}
      </Text>
      <Switch
        label={t('roles.grants.own')}
        description={t('roles.grants.ownHint')}
        checked={conditions.own ?? false}
        disabled={readOnly}
        onChange={(event) => set({ own: event.currentTarget.checked })}
        mb="sm"
      />
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <MultiSelect
          size="sm"
          miw={180}
          label={t('roles.grants.status')}
          placeholder={conditions.status?.length ? undefined : t('roles.grants.statusAny')}
          data={STATUSES.map((it) => ({ value: it, label: t(`general.status.${it}`) }))}
          value={conditions.status ?? []}
          onChange={(status) => set({ status })}
          disabled={readOnly}
        />
        <TagsInput
          size="sm"
          miw={180}
          label={t('roles.grants.locales')}
          placeholder={conditions.locales?.length ? undefined : t('roles.grants.localesAny')}
          data={[...new Set(types.flatMap((it) => it.locales))]}
          value={conditions.locales ?? []}
          onChange={(locales) => set({ locales })}
          disabled={readOnly}
        />
        <TagsInput
          size="sm"
          miw={180}
          label={t(effect === 'deny' ? 'roles.grants.fieldsDeny' : 'roles.grants.fields')}
          placeholder={shape.fields?.length ? undefined : t('roles.grants.fieldsHint')}
          data={[...new Set(types.flatMap((it) => Object.keys(it.fields)))]}
          value={[...(shape.fields ?? [])]}
          onChange={(fields) => onChange({ ...shape, fields: fields.length > 0 ? fields : undefined })}
          disabled={readOnly}
          maxDropdownHeight={220}
        />
      </Group>
      {asks && elsewhere && (
        <Text size="sm" c="amber" mt="xs">
          {t('roles.grants.conditionsIdle')}
        </Text>
      )}
    </div>
  );
}
