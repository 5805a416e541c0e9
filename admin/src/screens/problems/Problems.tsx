import { Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconZoomCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { request } from '~/api/client';
import { useServerEvents } from '~/api/events';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import type { Problem } from '~/api/schema';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { EmptyState, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { restoreLostFocus } from '~/ui/lost-focus';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import type { ProblemsAnswer } from './problem';
import { ProblemCard } from './ProblemCard';
import classes from './problems.module.css';

/** The problems in the data folder: of this workspace, and of the installation. */
export default function Problems() {
  const can = useCan();
  if (can('settings.read', 'settings:*')) return <ProblemList />;
  return (
    <>
      <PageHead title={t('shell.problems')} />
      <NoPermission action="settings.read" />
    </>
  );
}

/** Returns the list of problems, kept up to date; the filter is in the address. */
function useProblems(workspace: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { deep?: string; accepted?: string };
  const [deep, accepted] = [search.deep === '1', search.accepted === '1'];
  const problems = useQuery({
    queryKey: queryKeys.problemList(workspace, { deep, accepted }),
    queryFn: () => {
      const query = new URLSearchParams({ workspace, deep: deep ? '1' : '0', accepted: accepted ? '1' : '0' });
      return request<ProblemsAnswer>('/admin/api/problems', { query });
    },
    placeholderData: keepPreviousData,
    staleTime: deep ? 60_000 : 0,
  });
  const again = () => queries.invalidateQueries({ queryKey: queryKeys.problems(workspace) });
  // Those of the installation are of no workspace, so the frame of the page leaves them to us.
  useServerEvents(({ event }) => {
    if (event.startsWith('problem.')) void again();
  });
  const show = (change: { deep?: '1'; accepted?: '1' | undefined }) =>
    void navigate({ to: '.', search: { ...search, ...change } as never, replace: true });
  return { problems, deep, accepted, again, show };
}

function ProblemList() {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const mayAct = useCan()('settings.update', 'settings:*');
  const { problems, deep, accepted, again, show } = useProblems(workspace);
  const { data, error, isPending, isFetching, refetch } = problems;
  const list = useRef<HTMLDivElement>(null);
  const onDone = async () => {
    await again();
    restoreLostFocus(() => list.current);
  };
  const deepen = () => (deep ? void refetch() : show({ deep: '1' }));
  const left = data?.meta.accepted ?? 0;
  return (
    <>
      <PageHead
        title={t('shell.problems')}
        description={t('problems.about')}
        actions={
          <Button variant="default" leftSection={<IconZoomCheck size={16} aria-hidden />} loading={isFetching && deep} onClick={deepen}>
            {t(deep ? 'problems.deepAgain' : 'problems.deep')}
          </Button>
        }
      />
      <Group justify="space-between" mb="md">
        <Text size="sm" c="dimmed">
          {t(deep ? 'problems.isDeep' : 'problems.isQuick')}
        </Text>
        {(accepted || left > 0) && (
          <Switch
            label={t('problems.showAccepted', { count: left })}
            checked={accepted}
            onChange={(event) => show({ accepted: event.currentTarget.checked ? '1' : undefined })}
          />
        )}
      </Group>
      <div ref={list} tabIndex={-1} className={classes.list}>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {isPending && <Waiting what={t('shell.problems')} heights={[28, 150, 150]} />}
        {data && !error && <Found answer={data} deep={deep} types={types} mayAct={mayAct} onDone={onDone} />}
      </div>
      <Announce text={data ? t('problems.count', { count: data.data.length }) : ''} />
    </>
  );
}

interface FoundProps extends Omit<SectionProps, 'severity' | 'problems'> {
  answer: ProblemsAnswer;
  deep: boolean;
}

/** The problems by how much they hurt. */
function Found({ answer, deep, ...rest }: FoundProps) {
  const { data, meta } = answer;
  if (data.length === 0) return <AllGood deep={deep} />;
  return (
    <Stack gap="xl">
      <Section severity="error" problems={data} {...rest} />
      <Section severity="warning" problems={data} {...rest} />
      {meta.total > data.length && (
        <Text size="sm" c="dimmed">
          {t('problems.more', { shown: data.length, count: meta.total })}
        </Text>
      )}
    </Stack>
  );
}

interface SectionProps {
  severity: Problem['severity'];
  problems: readonly Problem[];
  types: readonly ContentTypeShape[];
  mayAct: boolean;
  onDone: () => Promise<unknown>;
}

function Section({ severity, problems, ...rest }: SectionProps) {
  const mine = problems.filter((it) => it.severity === severity);
  if (mine.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h3">
        {t(`problems.${severity}s`, { count: mine.length })}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`problems.${severity}sAbout`)}
      </Text>
      <Stack gap="sm">
        {mine.map((problem) => (
          <ProblemCard key={problem.id} problem={problem} {...rest} />
        ))}
      </Stack>
    </section>
  );
}

function AllGood({ deep }: { deep: boolean }) {
  return (
    <div className={classes.good}>
      <EmptyState icon={IconCircleCheck} title={t('problems.none')}>
        {t(deep ? 'problems.noneDeep' : 'problems.noneHint')}
      </EmptyState>
    </div>
  );
}
