import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { useCan } from '~/api/session';
import { tSingular } from '~/i18n/singular';
import { useBuilder } from '../builder-context';

/** The way on from a type that has no entries yet. */
export function FirstEntry() {
  const { workspace, saved } = useBuilder();
  const can = useCan();
  const may = can('content.create', `content:${saved.name}:*`);
  const { data: total } = useQuery({
    queryKey: queryKeys.entryList(workspace, saved.name, 'total'),
    queryFn: async () =>
      (await call(api.GET('/admin/api/content/{collection}', { params: { path: { collection: saved.name }, query: { limit: 1 } } }))).meta?.total,
    enabled: may,
  });
  if (total !== 0) return null;
  return (
    <Button
      leftSection={<IconPencil size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/w/$workspace/content/$type/$id" params={{ workspace, type: saved.name, id: '~new' }} />}
    >
      {tSingular('content.createFirst', saved)}
    </Button>
  );
}
