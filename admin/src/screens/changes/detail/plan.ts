/** The times at which a change goes live and its entries end. */
import type { Change } from '~/api/schema';
import { t } from '~/i18n';

export type Plan = Pick<Change, 'publish_at' | 'unpublish_at'>;

/** Finds what cannot be meant before the server is asked. */
export function checkPlan({ publish_at, unpublish_at }: Plan, now = Date.now()): Record<string, string> {
  if (publish_at && Date.parse(publish_at) <= now) return { publish_at: t('changes.planPast') };
  if (unpublish_at && Date.parse(unpublish_at) <= Math.max(now, publish_at ? Date.parse(publish_at) : now)) {
    return { unpublish_at: t('changes.endBefore') };
  }
  return {};
}
