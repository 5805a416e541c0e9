import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { t } from '~/i18n';
import { later } from './later';

type DialogProps = Parameters<typeof import('./LeaveDialog').LeaveDialog>[0];
const LeaveDialog = later<DialogProps>(() => import('~/shell/overlays').then((it) => it.LeaveDialog));

interface LeaveGuardProps {
  /** True if there is something that would be lost. */
  dirty: boolean;
  /** A parameter of the address that says what is being edited, where the path does not. */
  param?: string;
  /** True if any other state of the same page loses it, too. */
  everyState?: boolean;
  /** True if it is a part of a page that is closed rather than left. */
  inPanel?: boolean;
  /** The consequence of leaving; by default that the changes are lost. */
  children?: ReactNode;
}

/** Asks before a page with unsaved changes is left, within the interface or out of it. */
export function LeaveGuard({ dirty, param, everyState = false, inPanel = false, children }: LeaveGuardProps) {
  const blocker = useBlocker({
    // Another tab or another state of the same page mostly loses nothing.
    shouldBlockFn: ({ current, next }) =>
      dirty &&
      (current.pathname !== next.pathname ||
        valueOf(current.search, param) !== valueOf(next.search, param) ||
        (everyState && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  const { proceed } = blocker;
  useEffect(() => {
    // It was saved meanwhile: nothing is left to ask about.
    if (!dirty) proceed?.();
  }, [dirty, proceed]);
  if (blocker.status !== 'blocked') return null;
  return (
    <LeaveDialog inPanel={inPanel} onLeave={blocker.proceed} onStay={blocker.reset}>
      {children ?? (!inPanel && t('general.leaveBody'))}
    </LeaveDialog>
  );
}

function valueOf(search: object, param: string | undefined): unknown {
  return param === undefined ? undefined : new Map(Object.entries(search)).get(param);
}
