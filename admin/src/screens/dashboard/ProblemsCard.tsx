import { Anchor, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Dashboard } from '~/api/schema';
import { t } from '~/i18n';
import { Message } from '~/ui/Message';
import classes from './Dashboard.module.css';
import { Panel } from './Panel';

/** The number of problems that show here; all of them have a page of their own. */
const SHOWN = 3;

/** The problems of the files on disk, which people may have edited by hand. */
export function ProblemsCard({ workspace, problems }: { workspace: string; problems: NonNullable<Dashboard['problems']> }) {
  if (problems.count === 0) {
    return (
      <Panel title={t('dashboard.health')}>
        <div className={classes.healthy}>
          <IconCircleCheck size={20} aria-hidden />
          <Text size="sm">{t('dashboard.healthy')}</Text>
        </div>
      </Panel>
    );
  }
  const all: LinkProps = { to: '/w/$workspace/problems', params: { workspace } };
  return (
    <Panel
      title={t('dashboard.problems', { count: problems.count })}
      more={{ label: t('dashboard.showAll'), link: all }}
    >
      <ul className={classes.problems}>
        {problems.items.slice(0, SHOWN).map((problem) => (
          <li key={problem.id} data-severity={problem.severity}>
            <IconAlertTriangle size={18} aria-label={t(`dashboard.severity.${problem.severity}`)} role="img" />
            <div>
              <Anchor component={Link} {...(all as object)} className={classes.path}>
                {problem.path}
                {problem.line !== null && `:${problem.line}`}
              </Anchor>
              <Text size="sm">
                {problem.kind === 'invalid_json' ? t('dashboard.problemDamaged') : <Message text={problem.message} />}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
