import { useQuery } from '@tanstack/react-query';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { retentionQuery } from './queries';

/** For how many days the trash keeps what is in it: `null` for ever, `undefined` when that is not known. */
export function useRetention(): number | null | undefined {
  const can = useCan();
  return useQuery({ ...retentionQuery, enabled: can('settings.read', 'settings:*') }).data;
}

/** Says how long the trash keeps what is in it, to those who may know. */
export function RetentionNote() {
  const days = useRetention();
  if (days === undefined) return <>{t('trash.about')}</>;
  return <>{days === null ? t('trash.keptForEver') : t('trash.kept', { count: days })}</>;
}
