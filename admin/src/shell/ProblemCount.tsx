import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { useCalm } from '~/ui/later';
import { useWorkspace } from '~/workspace';

/** The number of problems of the workspace, if any. */
export function ProblemCount() {
  const workspace = useWorkspace();
  const { data } = useQuery({
    queryKey: queryKeys.problemCount(workspace),
    queryFn: async ({ signal }) => {
      const { meta } = await call(api.GET('/admin/api/problems', { params: { query: { workspace } }, signal }));
      return { total: Number(meta?.total ?? 0), errors: Number(meta?.errors ?? 0) };
    },
    enabled: useCalm(),
    staleTime: 60_000,
  });
  if (!data || data.total === 0) return null;
  return (
    <Badge size="sm" color={data.errors > 0 ? 'red' : 'amber'} variant="light">
      <span aria-hidden="true">{data.total}</span>
      <span className="visually-hidden">{t('shell.problemCount', { count: data.total })}</span>
    </Badge>
  );
}
