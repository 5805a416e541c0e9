import { queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { changeList, type Webhook, type WebhookInput } from './hooks';

/** No event tells of deliveries, so those who look are asked for again: soon while something is under way. */
const SOON = 3000;
const NOW_AND_THEN = 15_000;

export const webhooksQuery = queryOptions({
  queryKey: queryKeys.webhooks,
  queryFn: read,
  refetchInterval: ({ state }) => (state.data?.some((it) => it.waiting > 0) ? SOON : NOW_AND_THEN),
});

async function read(): Promise<Webhook[]> {
  return [...(await call(api.GET('/admin/api/webhooks'))).data.webhooks];
}

/** The last 200 attempts of a webhook, newest first. */
export function deliveriesQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.deliveries(id),
    queryFn: async () => [
      ...(await call(api.GET('/admin/api/webhooks/{id}/deliveries', { params: { path: { id } } }))).data,
    ],
    refetchInterval: SOON,
  });
}

/**
 * Changes, adds or (with nothing) removes one webhook. All of them are written at once, so they are
 * read again just before: what somebody else changed meanwhile stays. Answers with the webhook.
 */
export async function saveWebhook(
  id: string | undefined,
  change: Partial<WebhookInput> | null,
): Promise<{ hook: Webhook | undefined }> {
  const webhooks = changeList(await read(), id, change);
  const { data } = await call(api.PUT('/admin/api/webhooks', { body: { webhooks } }));
  const list = [...data.webhooks];
  // Secrets are shown where they were asked for, and kept nowhere.
  queryClient.setQueryData(webhooksQuery.queryKey, list.map((it) => ({ ...it, secret: undefined })));
  return { hook: id === undefined ? list.at(-1) : list.find((it) => it.id === id) };
}

/** Sends a test and answers with how it went; fails when it was not taken. */
export async function sendTest(id: string) {
  try {
    return (await call(api.POST('/admin/api/webhooks/{id}/test', { params: { path: { id } } }))).data;
  } finally {
    void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks });
  }
}

/** Sends once more what an attempt sent. */
export async function redeliver(id: string): Promise<void> {
  await call(api.POST('/admin/api/webhooks/deliveries/{id}/redeliver', { params: { path: { id } } }));
  await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks });
}
