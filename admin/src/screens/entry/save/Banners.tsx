import { Button, Group } from '@mantine/core';
import { IconLock, IconRefreshAlert, IconTrash, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import { restoreLostFocus } from '~/ui/lost-focus';
import classes from '../Editor.module.css';
import type { Maker } from './useServerVersion';

interface BannerProps {
  icon: TablerIcon;
  tone?: 'amber' | 'red' | 'violet' | undefined;
  children: ReactNode;
  actions?: ReactNode;
}

export function Banner({ icon: Icon, tone, children, actions }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone} role="status">
      <div className={classes.bannerText}>
        <Icon size={18} aria-hidden />
        <span>{children}</span>
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </div>
  );
}

interface Action {
  label: string;
  act: () => void;
}

export function Actions({ actions }: { actions: readonly Action[] }) {
  const press = (act: () => void, { detail }: React.MouseEvent) => {
    // The second half of a double click is not meant for the banner that comes next.
    if (detail > 1) return;
    restoreLostFocus();
    act();
  };
  return actions.map(({ label, act }) => (
    <Button key={label} size="compact-sm" variant="default" onClick={(event) => press(act, event)}>
      {label}
    </Button>
  ));
}

/** Others changed what is being changed here. */
export function ChangedBanner({ by, onShow, onLoad, onKeep }: { by: Maker; onShow: () => void; onLoad: () => void; onKeep: () => void }) {
  const actions = [
    { label: t('entry.changed.show'), act: onShow },
    { label: t('entry.changed.load'), act: onLoad },
    { label: t('entry.changed.keep'), act: onKeep },
  ];
  return (
    <Banner icon={IconRefreshAlert} tone="amber" actions={<Actions actions={actions} />}>
      {changedByText(by)}
    </Banner>
  );
}

/** `Changed by Ben just now`. */
export function changedByText({ name, disk }: Maker): string {
  if (disk) return t('entry.changed.disk');
  return name ? t('entry.changed.by', { name }) : t('entry.changed.elsewhere');
}

/** Others removed fields in which something was typed. */
export function RemovedBanner({ fields, onCopy, onDiscard }: { fields: string; onCopy: () => void; onDiscard: () => void }) {
  const actions = [
    { label: t('entry.removed.copy'), act: onCopy },
    { label: t('entry.draft.discard'), act: onDiscard },
  ];
  return (
    <Banner icon={IconTrash} tone="amber" actions={<Actions actions={actions} />}>
      {t('entry.removed', { fields })}
    </Banner>
  );
}

/** The reason for which nothing can be changed. */
export function ReadOnlyBanner() {
  return (
    <Banner icon={IconLock}>{t('entry.readOnly', { action: 'content.update' })}</Banner>
  );
}
