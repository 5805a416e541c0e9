import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, call } from './client';
import { queryKeys } from './keys';
import type { Settings } from './schema';
import { useCan } from './session';

/** The settings, and the names of what decides some of them. */
interface SettingsAnswer {
  data: Settings;
  pinned: Readonly<Record<string, string>>;
}

export const settingsQuery = queryOptions({
  queryKey: queryKeys.settings,
  queryFn: async (): Promise<SettingsAnswer> => {
    const { data, meta } = await call(api.GET('/admin/api/settings'));
    return { data, pinned: ((meta ?? {}) as { pinned?: Record<string, string> }).pinned ?? {} };
  },
});

/** Returns the settings for a screen about something else; nothing to those who may not read them. */
export function useSettings(): Settings | undefined {
  const can = useCan();
  return useQuery({ ...settingsQuery, enabled: can('settings.read', 'settings:*') }).data?.data;
}
