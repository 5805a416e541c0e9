/** Settings as a form has them: by key, with a dot where one is in a group. */
import type { Settings, SettingsInput } from '~/api/schema';

export interface Values {
  site_name: string;
  default_workspace: string;
  max_revisions: number;
  trash_retention_days: number | null;
  'upload.max_bytes': number;
  'upload.allowed_types': readonly string[];
  'cors.origins': readonly string[];
  'cache.max_age': number;
  'cache.stale_while_revalidate': number;
  'lists.max_limit': number;
}
export type SettingKey = keyof Values;

export function flatten(settings: Settings): Values {
  return {
    site_name: settings.site_name,
    default_workspace: settings.default_workspace,
    max_revisions: settings.max_revisions,
    trash_retention_days: settings.trash_retention_days,
    'upload.max_bytes': settings.upload.max_bytes,
    'upload.allowed_types': settings.upload.allowed_types,
    'cors.origins': settings.cors.origins,
    'cache.max_age': settings.cache.max_age,
    'cache.stale_while_revalidate': settings.cache.stale_while_revalidate,
    'lists.max_limit': settings.lists.max_limit,
  };
}

/** The keys whose values are others than those stored. */
export function changedKeys(stored: Values, draft: Values): SettingKey[] {
  const keys = Object.keys(draft) as SettingKey[];
  return keys.filter((key) => JSON.stringify(stored[key]) !== JSON.stringify(draft[key]));
}

/** What to send: only what was changed, in its group. */
export function changeBody(stored: Values, draft: Values): SettingsInput {
  const body: Record<string, unknown> = {};
  for (const key of changedKeys(stored, draft)) {
    const [group = '', name] = key.split('.');
    if (name === undefined) body[group] = draft[key];
    else body[group] = { ...(body[group] as object | undefined), [name]: draft[key] };
  }
  return body;
}

/** The limits of files are round numbers of these: 104 857 600 bytes are 100 MiB. */
const MEBIBYTE = 1024 ** 2;

export function toMebibytes(bytes: number): number {
  return bytes / MEBIBYTE;
}

export function toBytes(mebibytes: number): number {
  return Math.round(mebibytes * MEBIBYTE);
}
