import { Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { sentenceOf } from '~/screens/activity/sentence';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Time } from '~/ui/Time';
import { Waiting } from '~/ui/Waiting';
import { useWorkspace } from '~/workspace';
import classes from '../changes.module.css';
import { historyQuery } from './queries';

/** The activity of a change, the latest first. */
export function ChangeHistory({ id }: { id: string }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const answer = useQuery(historyQuery(workspace, id));
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!answer.data) return <Waiting what={t('changes.tab.activity')} heights={[160]} />;
  if (answer.data.length === 0) {
    return (
      <EmptyState icon={IconHistory} title={t('changes.history.none')}>
        {t('changes.history.noneHint')}
      </EmptyState>
    );
  }
  return (
    <ol className={`${classes.rows} ${classes.panel}`}>
      {answer.data.map((row) => {
        const { before, object, after } = sentenceOf(row, (type) => types.find((it) => it.name === type)?.label ?? type);
        return (
          <li key={row.id}>
            <Text size="sm">{before + object + after}</Text>
            <Text size="xs" c="dimmed" className={classes.when}>
              <Time value={row.time} />
            </Text>
          </li>
        );
      })}
    </ol>
  );
}
