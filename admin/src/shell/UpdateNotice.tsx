import { Anchor } from '@mantine/core';
import { IconArrowUpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { useCalm } from '~/ui/later';
import classes from './Navigation.module.css';

/** Says that there is a newer version, as far as the server knows: nobody is asked for it. */
export function UpdateNotice() {
  const can = useCan();
  const calm = useCalm();
  const { data } = useQuery({
    queryKey: queryKeys.updateNotice,
    queryFn: async ({ signal }) => (await call(api.GET('/admin/api/update', { signal }))).data,
    enabled: calm && can('updates.read', 'updates:*'),
    staleTime: 60 * 60_000,
  });
  if (!data || !(data.update_available || data.restart_needed)) return null;
  return (
    <Anchor component={Link} to="/system/settings" size="sm" className={classes.notice}>
      <IconArrowUpCircle size={18} aria-hidden />
      {data.restart_needed ? t('shell.restartNeeded') : t('shell.updateAvailable', { version: data.latest?.version ?? '' })}
    </Anchor>
  );
}
