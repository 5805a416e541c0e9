import { Group, Text } from '@mantine/core';
import type { FieldDiff, Proposal } from '~/api/schema';
import { useContentType } from '~/api/session';
import { isEmptyValue, isSameValue } from '~/diff/values';
import { ValueDiff } from '~/diff/ValueDiff';
import { t } from '~/i18n';
import { type Status, STATUSES } from '~/ui/status';
import { StatusChip } from '~/ui/StatusChip';
import { useWorkspace } from '~/workspace';
import classes from '../changes.module.css';
import { type DiffField, fieldAt } from './fields';

interface FieldDifferenceProps {
  entry: Proposal;
  field: FieldDiff;
  /** True if the change is live already, so that what was before is its base. */
  published: boolean;
}

/** One field: what readers see, and what they will see. */
export function FieldDifference({ entry, field, published }: FieldDifferenceProps) {
  const type = useContentType(useWorkspace(), entry.collection);
  const shown = fieldAt(type, field.path);
  const before = published ? field.base : field.live;
  const already = !published && isSameValue(field.live, field.proposed) && !isSameValue(field.base, field.live);
  return (
    <section className={classes.field} aria-label={shown.label}>
      <h3 className={classes.fieldLabel}>{shown.label}</h3>
      <Difference entry={entry} field={shown} before={before} after={field.proposed} />
      {already && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('changes.already')}
        </Text>
      )}
    </section>
  );
}

interface DifferenceProps {
  entry: Proposal;
  field: DiffField;
  before: unknown;
  after: unknown;
}

/** The difference of two values of a field. */
export function Difference({ entry, field, before, after }: DifferenceProps) {
  const workspace = useWorkspace();
  const type = useContentType(workspace, entry.collection);
  if (field.path === 'status') return <StatusDifference before={before} after={after} />;
  const context = { workspace, type: entry.collection, id: entry.id, locale: field.locale || (type?.root_locale ?? '') };
  return <ValueDiff definition={field.definition} before={before} after={after} context={context} />;
}

function StatusDifference({ before, after }: { before: unknown; after: unknown }) {
  const [old, fresh] = [before, after].map((value) => STATUSES.find((it) => it === value)) as [Status | undefined, Status | undefined];
  return (
    <Group gap="xs">
      {!isEmptyValue(before) && old && <StatusChip entry={{ status: old }} />}
      {!isEmptyValue(before) && !isSameValue(before, after) && <span aria-label={t('revisions.becomes')}>→</span>}
      {!isSameValue(before, after) && fresh && <StatusChip entry={{ status: fresh }} />}
    </Group>
  );
}
