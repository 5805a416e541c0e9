import { Badge, Button, Group } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { ContentTypeShape } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';
import { useCan } from '~/api/session';
import { isSameValue } from '~/diff/values';
import { ValueDiff } from '~/diff/ValueDiff';
import type { FieldContext } from '~/fields/types';
import { labelled, t } from '~/i18n';
import type { Status } from '~/ui/status';
import { StatusChip } from '~/ui/StatusChip';
import { type Row, valueIn } from './compare';
import classes from './History.module.css';
import { rowLabel } from './Timeline';

interface FieldChangeProps {
  type: ContentTypeShape;
  row: Row;
  context: FieldContext;
  /** The entry as it is now. */
  current: AdminEntry;
  onRestore: (value: unknown) => void;
}

/** One field in two versions, with the way back to its values that are not there any more. */
export function FieldChange({ type, row, context, current, onRestore }: FieldChangeProps) {
  const can = useCan();
  const label = rowLabel(type, row.name);
  const now = valueIn(current, type, context.locale, row.name);
  const mayRestore = !row.meta && can('content.update', `content:${type.name}:*`);
  const back = (which: 'before' | 'after') => {
    if (!mayRestore || isSameValue(row[which], now) || (which === 'after' && row.same)) return null;
    const action = t(row.same ? 'revisions.restoreValue' : `revisions.restoreValue.${which}`);
    return (
      <Button
        key={which}
        variant="subtle"
        size="compact-xs"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        onClick={() => onRestore(row[which])}
        aria-label={labelled(action, label)}
      >
        {action}
      </Button>
    );
  };
  return (
    <section className={classes.field} data-same={row.same || undefined} aria-label={label}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Group gap="xs">
          <h2 className={classes.label}>{label}</h2>
          {row.same && (
            <Badge color="gray" size="sm">
              {t('revisions.unchanged')}
            </Badge>
          )}
        </Group>
        <Group gap={4}>
          {back('before')}
          {back('after')}
        </Group>
      </Group>
      {row.name === 'status' ? (
        <Group gap="xs">
          <StatusChip entry={{ status: row.before as Status }} />
          {!row.same && <span aria-label={t('revisions.becomes')}>→</span>}
          {!row.same && <StatusChip entry={{ status: row.after as Status }} />}
        </Group>
      ) : (
        <ValueDiff definition={row.definition} before={row.before} after={row.after} context={context} />
      )}
    </section>
  );
}
