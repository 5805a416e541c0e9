import { Text } from '@mantine/core';
import { refreshChanges } from '~/api/changes/queries';
import { updateChange } from '~/api/changes/requests';
import type { Change } from '~/api/schema';
import { FieldInput } from '~/fields/FieldInput';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { useWorkspace } from '~/workspace';
import { missingApprovals } from '../change';
import { checkPlan, type Plan } from './plan';

const TIMES = ['publish_at', 'unpublish_at'] as const;

/** The form for the times at which a change goes live by itself and its entries end. */
export function PlanChange({ change, onClose }: { change: Change; onClose: () => void }) {
  const workspace = useWorkspace();
  const { publish_at, unpublish_at } = change;
  const missing = missingApprovals(change);
  const form = useRecordForm<Plan, Change>({
    stored: { publish_at, unpublish_at },
    check: checkPlan,
    save: (_, changed) => updateChange(change.id, changed),
    onSaved: async (saved) => {
      showDone(t(saved.publish_at ? 'changes.done.plan' : 'changes.done.unplan'));
      await refreshChanges(workspace);
      onClose();
    },
  });
  return (
    <RecordForm form={form} noValidate>
      <Text size="sm">{t('changes.planBody')}</Text>
      {TIMES.map((name) => (
        <FieldInput
          key={name}
          path={name}
          name={name}
          definition={{ type: 'datetime', label: t(`changes.${name}`), description: t(`changes.${name}Hint`) }}
          value={form.values[name]}
          onChange={(value) => form.setValue(name, value)}
          context={{ workspace, type: '', id: change.id, locale: '' }}
          errors={form.errors}
        />
      ))}
      {missing > 0 && (
        <Text size="sm" c="dimmed">
          {t('changes.planNeedsApproval', { count: missing })}
        </Text>
      )}
      <FormFooter form={form} onClose={onClose} />
    </RecordForm>
  );
}
