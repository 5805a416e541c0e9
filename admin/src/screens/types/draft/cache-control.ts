import type { CachePolicy, Settings } from '~/api/schema';

/** The times that the settings have for all types; unknown to those who may not read the settings. */
type Times = Settings['cache'];

/** Returns the `Cache-Control` of anonymous answers with entries of a type. `…` stands for a time that is not known. */
export function cacheControl(policy: CachePolicy, settings: Times | undefined): string {
  const maxAge = policy.max_age ?? settings?.max_age ?? '…';
  const shared = policy.s_maxage ?? undefined;
  const stale = policy.stale_while_revalidate ?? settings?.stale_while_revalidate ?? '…';
  const parts = [
    'public',
    `max-age=${maxAge}`,
    ...(shared === undefined ? [] : [`s-maxage=${shared}`]),
    stale === 0 ? 'must-revalidate' : `stale-while-revalidate=${stale}`,
  ];
  return parts.join(', ');
}
