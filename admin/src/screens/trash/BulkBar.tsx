import { ActionIcon, Button, Group, Paper, Text } from '@mantine/core';
import { IconArrowBackUp, IconTrashX, IconX } from '@tabler/icons-react';
import type { TrashedEntry } from '~/api/schema';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import classes from './Trash.module.css';
import type { Rights } from './TrashTable';
import type { TrashActions } from './useTrashActions';

interface BulkBarProps {
  rows: readonly TrashedEntry[];
  selected: ReadonlySet<string>;
  onClear: () => void;
  rights: Rights;
  actions: TrashActions;
}

/** The actions on the selected entries. */
export function BulkBar({ rows, selected, onClear, rights, actions }: BulkBarProps) {
  const chosen = rows.filter((it) => selected.has(it.id));
  const count = chosen.length;
  const label = t('trash.selected', { count });
  return (
    <>
      <Announce text={count > 0 ? label : ''} />
      {count > 0 && (
        <Paper role="region" aria-label={label} className={classes.bulk} withBorder shadow="md">
          <Group gap={4} wrap="nowrap">
            <ActionIcon aria-label={t('trash.unselect')} onClick={onClear}>
              <IconX size={18} aria-hidden />
            </ActionIcon>
            <Text size="sm" fw={600}>
              {label}
            </Text>
          </Group>
          <Group gap="xs">
            {rights.restore && (
              <Button
                size="xs"
                loading={actions.busy}
                leftSection={<IconArrowBackUp size={16} aria-hidden />}
                onClick={() => actions.restore(chosen)}
              >
                {t('trash.restore')}
              </Button>
            )}
            {rights.purge && (
              <Button
                size="xs"
                variant="default"
                c="red"
                disabled={actions.busy}
                leftSection={<IconTrashX size={16} aria-hidden />}
                onClick={() => actions.purge(chosen)}
              >
                {t('trash.purge')}
              </Button>
            )}
          </Group>
        </Paper>
      )}
    </>
  );
}
