import { UnstyledButton } from '@mantine/core';
import { IconGitPullRequestDraft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { PENDING } from '~/api/changes/change';
import { usePendingChange } from '~/api/changes/queries';
import { t } from '~/i18n';
import { changeLink } from '~/links';
import { useWorkspace } from '~/workspace';
import classes from './Navigation.module.css';

/** Says how much of one's own is not public yet, and leads to it. */
export function PendingNotice() {
  const workspace = useWorkspace();
  const count = usePendingChange(workspace)?.entries.length ?? 0;
  if (count === 0) return null;
  return (
    <UnstyledButton className={classes.pending} renderRoot={(props) => <Link {...props} {...changeLink(workspace, PENDING)} />}>
      <IconGitPullRequestDraft size={16} aria-hidden />
      <span>{t('shell.notPublic', { count })}</span>
    </UnstyledButton>
  );
}
