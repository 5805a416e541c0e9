import { Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight, IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call, request } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { Problem } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { showDone, showError } from '~/ui/feedback';
import { useFromServer } from '~/ui/useFromServer';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { readEntry } from '../data';
import { threeWayMerge, valuesOf } from '../form/form';
import { useFormState } from '../form/store';

/** The notice about a file that cannot be read, and the ways to put it right. */
export function BrokenNotice() {
  const { form } = useEditing();
  const can = useCan();
  const message = useFormState(form, ({ entry }) => entry?.problems.find((it) => it.severity === 'error' && it.field === null)?.message);
  const fromServer = useFromServer();
  const { restore, busy } = useRestore(can('settings.update', 'settings:*'));
  return (
    <div className={classes.banner} data-tone="red" role="status">
      <div className={classes.bannerText}>
        <IconAlertTriangle size={18} aria-hidden />
        <div>
          {t('saving.broken')}
          {!restore && <> {t('saving.broken.ask')}</>}
          <details className={classes.details}>
            <summary>{t('saving.broken.details')}</summary>
            <Text size="xs" component="div">
              <Code>{message && fromServer(message)}</Code>
            </Text>
          </details>
        </div>
      </div>
      <Group gap="xs">
        {restore && (
          <Button size="compact-sm" leftSection={<IconRestore size={15} aria-hidden />} loading={busy} onClick={restore}>
            {t('saving.broken.restore')}
          </Button>
        )}
        {can('settings.read', 'settings:*') && <ProblemLink />}
      </Group>
    </div>
  );
}

function ProblemLink() {
  const { workspace } = useEditing();
  return (
    <Button
      size="compact-sm"
      variant="default"
      renderRoot={(root) => <Link to="/w/$workspace/problems" params={{ workspace }} {...root} />}
      rightSection={<IconArrowRight size={14} aria-hidden />}
    >
      {t('saving.broken.show')}
    </Button>
  );
}

/** Puts the version that is shown in the place of the damaged file; not offered where that is not possible. */
function useRestore(allowed: boolean) {
  const { workspace, type, id, view, form } = useEditing();
  const [busy, setBusy] = useState(false);
  const { data: problem } = useQuery({
    queryKey: [...queryKeys.problems(workspace), 'of', type.name, id],
    enabled: allowed && id !== undefined,
    queryFn: async () => {
      const query = new URLSearchParams({ workspace, accepted: '1' });
      const { data } = await request<{ data: readonly Problem[] }>('/admin/api/problems', { query });
      return data.find((it) => it.path.endsWith(`/content/${type.name}/${id}.json`) && it.actions.includes('restore-last-good')) ?? null;
    },
  });
  const restore = async () => {
    if (!problem || id === undefined) return;
    setBusy(true);
    try {
      const { data } = await call(api.POST('/admin/api/problems/{id}/restore-last-good', { params: { path: { id: problem.id } } }));
      const entry = await readEntry(type, id, view);
      const { base, values } = form.state();
      form.rebase(entry, threeWayMerge(base, values, valuesOf(type, entry)).values);
      showDone(t('saving.broken.restored', { path: data.kept_as }));
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return { restore: problem ? () => void restore() : undefined, busy };
}
