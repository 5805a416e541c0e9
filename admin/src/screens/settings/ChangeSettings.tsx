import { NumberInput, Switch } from '@mantine/core';
import { t } from '~/i18n';
import { Section } from './Section';
import type { GroupProps } from './types';

/** The most approvals that the server lets a change need. */
const APPROVALS_MAX = 10;

/** The rules by which changes are approved. */
export function ChangeSettings({ form: { values, setValue }, field }: GroupProps) {
  const { value: _, ...author } = field('changes.author_may_approve', t('settings.authorMayApproveHint'));
  return (
    <Section title={t('settings.changes')}>
      <NumberInput
        styles={{ wrapper: { maxWidth: 240 } }}
        label={t('settings.approvals')}
        {...field('changes.approvals_required', t('settings.approvalsHint'))}
        onChange={(typed) => setValue('changes.approvals_required', Number(typed) || 0)}
        min={0}
        max={APPROVALS_MAX}
        clampBehavior="none"
        allowDecimal={false}
      />
      <Switch
        label={t('settings.authorMayApprove')}
        {...author}
        checked={values.changes.author_may_approve}
        onChange={(event) => setValue('changes.author_may_approve', event.currentTarget.checked)}
      />
    </Section>
  );
}
