import { Button, Card, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { Samples } from '~/api/schema';
import { useCan } from '~/api/session';
import { formatList, t } from '~/i18n';
import { confirm, showDone, showError } from '~/ui/feedback';

/** Offers to remove the sample content, as long as some of it is left that nobody has edited. */
export function SamplesCard({ workspace }: { workspace: string }) {
  const can = useCan();
  const { data } = useQuery({
    queryKey: queryKeys.samples(workspace),
    queryFn: async ({ signal }) => (await call(api.GET('/admin/api/samples', { signal }))).data,
    enabled: can('schema.delete', 'schema:*'),
    // Whoever may delete types alone is refused; then nothing is offered.
    retry: false,
  });
  const removal = useMutation({
    mutationFn: async () => (await call(api.DELETE('/admin/api/samples'))).data,
    onSuccess: async (removed) => {
      await queryClient.invalidateQueries({ queryKey: [workspace] });
      showDone(countOf(removed.kept) > 0 ? t('dashboard.samples.removedSome') : t('dashboard.samples.removed'));
    },
    onError: showError,
  });
  if (!data || countOf(data.removable) === 0) return null;
  const remove = async () => {
    if (await askBefore(data)) removal.mutate();
  };
  return (
    <Card component="section" aria-label={t('dashboard.samples')} py="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{t('dashboard.samples.hint')}</Text>
        <Button variant="default" size="xs" loading={removal.isPending} onClick={() => void remove()}>
          {t('dashboard.samples.remove')}
        </Button>
      </Group>
    </Card>
  );
}

function askBefore({ removable, kept }: Samples): Promise<boolean> {
  const what = formatList([
    t('dashboard.samples.types', { count: removable.types.length }),
    t('general.entries', { count: removable.entries.length }),
    t('dashboard.samples.files', { count: removable.media.length }),
  ]);
  return confirm({
    title: t('dashboard.samples.ask'),
    body: `${t('dashboard.samples.askBody', { what })} ${countOf(kept) > 0 ? t('dashboard.samples.askKept') : ''}`,
    action: t('dashboard.samples.remove'),
    danger: true,
  });
}

function countOf({ types, entries, media }: Samples['kept']): number {
  return types.length + entries.length + media.length;
}
