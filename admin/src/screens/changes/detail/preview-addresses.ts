/** The addresses under which a preview link shows a change. */
import type { ContentTypeShape } from '~/api/fields';
import { t } from '~/i18n';
import type { Proposal } from '../change';

interface PreviewTarget {
  label: string;
  url: string;
}

interface Previewed {
  /** The base of the server's own addresses. */
  base: string;
  workspace: string;
  token: string;
  types: readonly (ContentTypeShape & { preview?: readonly PreviewTarget[] })[];
  entries: readonly Pick<Proposal, 'collection' | 'id' | 'slug' | 'title'>[];
}

export interface PreviewAddress {
  label: string;
  url: string;
}

/** Returns an address on each site that shows one of the entries; where there is no site, one of the API for each type. */
export function previewAddresses({ base, workspace, token, types, entries }: Previewed): PreviewAddress[] {
  const sites = new Map<string, PreviewAddress>();
  for (const entry of entries) {
    const type = types.find((it) => it.name === entry.collection);
    for (const target of type?.preview ?? []) {
      const label = t('changes.previewOn', { site: target.label, title: entry.title || t('changes.untitled') });
      const key = `${entry.collection} ${target.label}`;
      if (!sites.has(key)) sites.set(key, { label, url: fillTarget(target.url, entry, type?.default_locale ?? '', token) });
    }
  }
  if (sites.size > 0) return [...sites.values()];
  const collections = [...new Set(entries.map((it) => it.collection))];
  return collections.map((name) => ({
    label: t('changes.previewApi', { type: types.find((it) => it.name === name)?.label ?? name }),
    url: `${base.replace(/\/$/, '')}/api/v1/workspaces/${workspace}/content/${name}?preview=${token}`,
  }));
}

function fillTarget(url: string, entry: Pick<Proposal, 'collection' | 'id' | 'slug'>, locale: string, token: string): string {
  const values: Record<string, string> = { slug: entry.slug, id: entry.id, type: entry.collection, locale, token };
  return url.replaceAll(/\{(slug|id|type|locale|token)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
