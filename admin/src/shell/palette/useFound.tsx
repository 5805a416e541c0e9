import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { MediaThumb } from '~/media/MediaThumb';
import { useContentTypes } from '~/api/session';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import { type Item, useOpenLink } from './items';

/** The number of results of each kind that the server is asked for. */
const LIMIT = 8;

/** The entries and files that the server finds; what it found before stays while it looks. */
export function useSearchResults(query: string): { items: Item[]; searching: boolean } {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const go = useOpenLink();
  const wanted = query.trim();
  const [q] = useDebouncedValue(wanted, 160);
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.search(workspace, q),
    queryFn: async ({ signal }) => (await call(api.GET('/admin/api/search', { params: { query: { q, limit: LIMIT } }, signal }))).data,
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 5000,
  });
  const searching = wanted !== '' && (isFetching || q !== wanted);
  if (!data || wanted === '') return { items: [], searching };
  const entries = data.entries.map(
    (it): Item => ({
      id: `entry:${it.type}/${it.id}`,
      group: 'entries',
      label: it.title || it.slug,
      hint: `${it.type_label} · ${t(`general.status.${it.status}`)}`,
      icon: <TypeIcon name={types.find((type) => type.name === it.type)?.icon ?? ''} />,
      run: () => go({ to: '/w/$workspace/content/$type/$id', params: { workspace, type: it.type, id: it.id } }),
    }),
  );
  const media = data.media.map(
    (it): Item => ({
      id: `media:${it.filename}`,
      group: 'media',
      label: it.title || it.filename,
      hint: it.title ? it.filename : it.alt,
      icon: <MediaThumb workspace={workspace} filename={it.filename} size={28} alt="" />,
      run: () => go({ to: '/w/$workspace/media', params: { workspace }, search: { file: it.filename } }),
    }),
  );
  return { items: [...entries, ...media], searching };
}
