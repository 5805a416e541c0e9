import { Chip, Group, MultiSelect, Text } from '@mantine/core';
import { t } from '~/i18n';
import { actionsOf, type Area, isWorkspaceArea } from './actions';
import { useCategories, useTypesOf } from './data';
import classes from './Grants.module.css';
import type { AreaRule } from './shape';
import { actionLabel, type Names, targetLabel } from './summary';

interface AreaRowProps {
  area: Area;
  rule: AreaRule | undefined;
  onChange: (rule: AreaRule) => void;
  /** The workspaces that the grant counts in. */
  scope: readonly string[];
  names: Names;
  readOnly: boolean;
}

/** One row of a grant's matrix: what may be done, and to which things of an area. */
export function AreaRow({ area, rule, onChange, scope, names, readOnly }: AreaRowProps) {
  const actions = rule?.actions ?? [];
  const targets = rule?.targets ?? [];
  const whole = actionsOf(area, names.actions);
  const label = t(`roles.area.${area}`);
  if (whole.length === 0) return null;
  const all = whole.every((it) => actions.includes(it));
  return (
    <div role="group" aria-label={label} className={classes.area}>
      <div className={classes.areaName}>{label}</div>
      {isWorkspaceArea(area) || targets.length > 0 ? (
        <Targets
          area={area}
          targets={targets}
          onChange={(next) => onChange({ actions, targets: next })}
          scope={scope}
          names={names}
          disabled={readOnly || actions.length === 0}
        />
      ) : (
        <div className={classes.whole}>{t('roles.grants.targetsAll.other')}</div>
      )}
      <Group gap={6} role="group" aria-label={t('roles.grants.actionsOf', { area: label })}>
        {whole.length > 1 && (
          <Chip size="sm" variant="light" checked={all} disabled={readOnly} onChange={(on) => onChange({ actions: on ? whole : [], targets })}>
            {t('roles.grants.allOf')}
          </Chip>
        )}
        {whole.map((action) => (
          <Chip
            key={action}
            size="sm"
            variant="light"
            checked={actions.includes(action)}
            disabled={readOnly}
            onChange={(on) => onChange({ actions: whole.filter((it) => (it === action ? on : actions.includes(it))), targets })}
          >
            {actionLabel(action)}
          </Chip>
        ))}
      </Group>
      {area === 'content' && (
        <Text size="xs" c="dimmed" className={classes.areaHint}>
          {t('roles.grants.publishHint')}
        </Text>
      )}
    </div>
  );
}

interface TargetsProps {
  area: Area;
  targets: readonly string[];
  onChange: (targets: string[]) => void;
  scope: readonly string[];
  names: Names;
  disabled: boolean;
}

function Targets({ area, targets, onChange, scope, names, disabled }: TargetsProps) {
  const types = useTypesOf(scope);
  const categories = useCategories(scope);
  const known = area === 'media' ? categories.map((it) => `category:${it}`) : isWorkspaceArea(area) ? types.map((it) => it.name) : [];
  const options = [...new Set([...known, ...targets])];
  const kind = isWorkspaceArea(area) ? area : 'other';
  const placeholder = t(`roles.grants.targetsAll.${kind}`);
  return (
    <MultiSelect
      size="xs"
      aria-label={t('roles.grants.targetsOf', { area: t(`roles.area.${area}`) })}
      placeholder={targets.length === 0 ? placeholder : undefined}
      data={options.map((it) => ({
        value: it,
        label: area === 'media' && it.startsWith('category:') ? it.slice(9) : targetLabel(area, it, names),
      }))}
      value={[...targets]}
      onChange={onChange}
      disabled={disabled}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': placeholder }}
      hidePickedOptions
      maxDropdownHeight={240}
    />
  );
}
