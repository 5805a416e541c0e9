/** The target that is shown beside the form, its link and its address. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { PENDING } from '~/api/changes/change';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { fillAddress, originOf } from '~/api/preview-targets';
import type { PreviewTarget } from '~/api/schema';
import { useEditing } from '../context';
import { useFormState } from '../form/store';
import { LIVE } from '../view';

/** The lifetime of a link in days: as long as somebody may leave the page open. */
const DAYS = 1;
/** The age in milliseconds from which a link is made anew: before it expires. */
const FRESH = 20 * 60 * 60 * 1000;

/** Returns the change that is looked at: the one that is edited, else the own draft beside what is live. */
export function previewedChange(view: string): string {
  return view === LIVE ? PENDING : view;
}

/** Returns the targets of the open entry; none if there is nothing to show yet. */
export function usePreviewTargets(): readonly PreviewTarget[] {
  const { type, id, readOnly } = useEditing();
  return id === undefined || readOnly ? [] : (type.preview ?? []);
}

/** Returns the target whose preview is open, as the address of the page says. */
export function useOpenTarget(): PreviewTarget | undefined {
  const { preview } = useSearch({ strict: false }) as { preview?: string };
  const targets = usePreviewTargets();
  return preview === undefined ? undefined : targets.find((it) => it.label === preview);
}

/** Makes the link that shows the open entry to a site, and the address of a target with it. */
export function usePreviewAddress(target: PreviewTarget) {
  const { workspace, type, id = '', view, form, locale } = useEditing();
  const change = previewedChange(view);
  const slug = useFormState(form, (state) => state.entry?.slug ?? '');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.previewLink(workspace, change, `${type.name}/${id}`),
    // The token is told once, so it is kept as long as the page is open.
    staleTime: FRESH,
    gcTime: FRESH,
    refetchOnWindowFocus: false,
    queryFn: async () =>
      (
        await call(
          api.POST('/admin/api/changes/{change}/previews', {
            params: { path: { change } },
            body: { entry: `${type.name}/${id}`, days: DAYS },
          }),
        )
      ).data.token,
  });
  const address = data === undefined ? undefined : fillAddress(target.url, { slug, id, type: type.name, locale, token: data });
  return { address, origin: originOf(target.url), error, isFetching, renew: () => void refetch() };
}
