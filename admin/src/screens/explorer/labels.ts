import { type Key, t } from '~/i18n';
import type { Common, Endpoint, Operation } from './model';

/** Returns the name of a request among others about the same. */
export function operationLabel({ operation }: Pick<Endpoint, 'operation'>): string {
  return t(LABELS[operation]);
}

const LABELS: Readonly<Record<Operation, Key>> = {
  list: 'explorer.operation.list', get: 'explorer.operation.get', view: 'explorer.operation.view', create: 'explorer.operation.create',
  update: 'explorer.operation.update', delete: 'explorer.operation.delete', picture: 'explorer.operation.picture',
  bundle: 'explorer.bundle', sync: 'explorer.sync', events: 'explorer.events', sitemap: 'explorer.sitemap', typings: 'explorer.typings',
  atom: 'explorer.operation.atom', 'json-feed': 'explorer.operation.json-feed',
};

/** The targets for those who build a site, which a sentence explains. */
export const TOLD = ['bundle', 'sync', 'events', 'feeds', 'sitemap', 'typings'] as const;

export function isTold(kind: Common | 'type'): kind is (typeof TOLD)[number] {
  return TOLD.some((it) => it === kind);
}
