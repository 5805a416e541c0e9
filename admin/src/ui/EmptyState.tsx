import { Button, Stack, Text, Title } from '@mantine/core';
import { IconFilterOff, IconLock, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import classes from './states.module.css';

interface StateProps {
  icon: TablerIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** True for a part of a screen, which has more below it. */
  compact?: boolean;
}

/** There is nothing here yet: says what would be, and how to make the first one. */
export function EmptyState({ icon: Icon, title, children, action, compact = false }: StateProps) {
  return (
    <Stack align="center" gap="xs" className={classes.state} data-compact={compact || undefined}>
      <span className={classes.badge}>
        <Icon size={26} stroke={1.6} aria-hidden />
      </span>
      <Title order={2} size="h3" ta="center">
        {title}
      </Title>
      {children && (
        <Text component="div" c="dimmed" ta="center" maw={440}>
          {children}
        </Text>
      )}
      {action && <div className={classes.action}>{action}</div>}
    </Stack>
  );
}

/** There is something, but not what was asked for. */
export function NoMatch({ onClear, children }: { onClear: () => void; children?: ReactNode }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title={t('general.noMatch')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('general.clearFilters')}
        </Button>
      }
    >
      {children ?? t('general.noMatchHint')}
    </EmptyState>
  );
}

/** It is not for this user; names the right that is missing. */
export function NoPermission({ action }: { action?: string }) {
  return (
    <EmptyState icon={IconLock} title={t('general.noPermission')}>
      {action ? t('general.noPermissionAction', { action }) : t('general.noPermissionHint')}
    </EmptyState>
  );
}
