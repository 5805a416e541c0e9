import { Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { Section } from './Section';
import type { GroupProps } from './types';

export function InstanceSettings({ form: { values, setValues }, field }: GroupProps) {
  const me = useMe();
  const workspaces = me.workspaces.filter((it) => !it.archived || it.slug === values.default_workspace);
  const known = workspaces.some((it) => it.slug === values.default_workspace);
  const data = workspaces.map((it) => ({ value: it.slug, label: it.label }));
  return (
    <Section title={t('settings.instance')}>
      <TextInput
        label={t('settings.siteName')}
        {...field('site_name', t('settings.siteNameHint'))}
        maxLength={100}
      />
      <Select
        label={t('settings.defaultWorkspace')}
        {...field('default_workspace', t('settings.defaultWorkspaceHint'))}
        data={known ? data : [...data, { value: values.default_workspace, label: values.default_workspace }]}
        onChange={(slug) => slug && setValues({ default_workspace: slug })}
      />
    </Section>
  );
}

/** Returns the number that was typed, or another one where the input is empty. */
const number = (typed: number | string, otherwise: number) => (typeof typed === 'number' ? typed : otherwise);

export function ContentSettings(props: GroupProps) {
  return (
    <Section title={t('settings.content')}>
      <Revisions {...props} />
      <Trash {...props} />
    </Section>
  );
}

const REVISIONS_AT_FIRST = 50;

function Revisions({ form: { values, setValues }, field }: GroupProps) {
  const kept = values.max_revisions;
  const { disabled, description, error } = field('max_revisions', t('settings.revisionsHint'));
  return (
    <Group gap="sm" align="flex-end">
      <Select
        flex="1 1 14rem"
        label={t('settings.revisions')}
        description={description}
        disabled={disabled}
        error={kept > 0 ? undefined : error}
        data={(['some', 'all', 'none'] as const).map((it) => ({ value: it, label: t(`settings.revisions.${it}`) }))}
        value={kept < 0 ? 'all' : kept === 0 ? 'none' : 'some'}
        onChange={(mode) => setValues({ max_revisions: mode === 'all' ? -1 : mode === 'none' ? 0 : REVISIONS_AT_FIRST })}
      />
      {kept > 0 && (
        <NumberInput
          w={140}
          label={t('settings.revisions.count')}
          value={kept}
          onChange={(typed) => setValues({ max_revisions: number(typed, REVISIONS_AT_FIRST) })}
          min={1}
          allowDecimal={false}
          disabled={disabled}
          error={error}
        />
      )}
    </Group>
  );
}

const DAYS_AT_FIRST = 30;

function Trash({ form: { values, setValues }, field }: GroupProps) {
  const days = values.trash_retention_days;
  const { disabled, description, error } = field('trash_retention_days', t('settings.trashHint'));
  return (
    <div>
      <Group gap="sm" align="flex-end">
        <Select
          flex="1 1 14rem"
          label={t('settings.trash')}
          description={description}
          disabled={disabled}
          error={days === null ? error : undefined}
          data={(['forever', 'days'] as const).map((it) => ({ value: it, label: t(`settings.trash.${it}`) }))}
          value={days === null ? 'forever' : 'days'}
          onChange={(mode) => setValues({ trash_retention_days: mode === 'days' ? DAYS_AT_FIRST : null })}
        />
        {days !== null && (
          <NumberInput
            w={140}
            label={t('settings.trash.count')}
            value={days}
            onChange={(typed) => setValues({ trash_retention_days: number(typed, DAYS_AT_FIRST) })}
            min={1}
            max={36_500}
            allowDecimal={false}
            disabled={disabled}
            error={error}
          />
        )}
      </Group>
      {days !== null && !disabled && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('settings.trash.warning')}
        </Text>
      )}
    </div>
  );
}
