import { Text } from '@mantine/core';
import type { ActivityRow } from '~/api/schema';
import { useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { sentenceOf } from '~/screens/activity/sentence';
import { Time } from '~/ui/Time';
import classes from './Dashboard.module.css';
import { Panel } from './Panel';

const SHOWN = 6;

/** The latest activity; logins and logouts are left out. */
export function ActivityCard({ workspace, rows }: { workspace: string; rows: readonly ActivityRow[] }) {
  const shown = rows.filter((it) => it.type !== 'auth.login' && it.type !== 'auth.logout').slice(0, SHOWN);
  return (
    <Panel
      title={t('dashboard.activity')}
      more={{ label: t('dashboard.showAll'), link: { to: '/w/$workspace/activity', params: { workspace } } }}
    >
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('dashboard.noActivity')}
        </Text>
      )}
      <ul className={classes.activity}>
        {shown.map((row) => (
          <li key={row.id} data-level={row.level}>
            <Text size="sm">
              <Sentence workspace={workspace} row={row} />
            </Text>
            <Text size="xs" c="dimmed">
              {row.user_name && `${row.user_name} · `}
              <Time value={row.time} />
              {row.source && row.source !== 'admin' && ` · ${t(`dashboard.source.${row.source}`)}`}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** An event in the words of the interface's language. */
function Sentence({ workspace, row }: { workspace: string; row: ActivityRow }) {
  const types = useContentTypes(workspace);
  const { before, object, after } = sentenceOf(row, (type) => types.find((it) => it.name === type)?.label ?? type);
  return (
    <>
      {before}
      {object && <b>{object}</b>}
      {after}
    </>
  );
}
