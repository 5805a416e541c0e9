/** The addresses under which a preview link shows a change. */
import type { ContentTypeShape } from '~/api/fields';
import { fillAddress } from '~/api/preview-targets';
import type { Proposal } from '~/api/schema';
import { t } from '~/i18n';

interface Previewed {
  /** The base of the server's own addresses. */
  base: string;
  workspace: string;
  token: string;
  types: readonly ContentTypeShape[];
  entries: readonly Pick<Proposal, 'collection' | 'id' | 'slug' | 'title'>[];
}

export interface PreviewAddress {
  label: string;
  url: string;
}

/** Returns an address on each site that shows one of the entries; where there is no site, one of the API for each type. */
export function previewAddresses({ base, workspace, token, types, entries }: Previewed): PreviewAddress[] {
  const sites = new Map<string, PreviewAddress>();
  for (const { collection, id, slug, title } of entries) {
    const type = types.find((it) => it.name === collection);
    for (const target of type?.preview ?? []) {
      const label = t('changes.previewOn', { site: target.label, title: title || t('general.untitled') });
      const key = `${collection} ${target.label}`;
      if (!sites.has(key)) sites.set(key, { label, url: fillAddress(target.url, { slug, id, type: collection, locale: type?.default_locale ?? '', token }) });
    }
  }
  if (sites.size > 0) return [...sites.values()];
  const collections = [...new Set(entries.map((it) => it.collection))];
  return collections.map((name) => ({
    label: t('changes.previewApi', { type: types.find((it) => it.name === name)?.label ?? name }),
    url: `${base.replace(/\/$/, '')}/api/v1/workspaces/${workspace}/content/${name}?preview=${token}`,
  }));
}
