/** Tokens: how they are asked for, ended and forgotten. */
import { queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { Token } from '~/api/schema';
import { t } from '~/i18n';
import { confirm, showDone } from '~/ui/feedback';

export const tokensQuery = queryOptions({
  queryKey: queryKeys.tokens,
  queryFn: async (): Promise<readonly Token[]> => (await call(api.GET('/admin/api/tokens'))).data,
});

/** Checks whether a token still opens something. */
export function tokenState(token: Token, now: number = Date.now()): 'active' | 'expired' | 'revoked' {
  if (token.revoked_at) return 'revoked';
  return token.expires_at && Date.parse(token.expires_at) <= now ? 'expired' : 'active';
}

/** Checks whether the secret before the last rotation still works. */
export function hasPrevious(token: Token, now: number = Date.now()): boolean {
  return token.previous_ends_at !== null && Date.parse(token.previous_ends_at) > now && tokenState(token, now) === 'active';
}

export async function refreshTokens(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: queryKeys.tokens });
}

/** Asks, and ends a token. One that was revoked before is removed for good. */
export async function endToken(token: Token): Promise<void> {
  const { id, name } = token;
  const again = token.revoked_at !== null;
  const yes = await confirm({
    title: t(again ? 'tokens.deleteTitle' : 'tokens.revokeTitle', { name }),
    body: t(again ? 'tokens.deleteBody' : 'tokens.revokeBody'),
    action: t(again ? 'tokens.delete' : 'tokens.revoke'),
    danger: true,
  });
  if (!yes) return;
  await call(api.DELETE('/admin/api/tokens/{id}', { params: { path: { id } } }));
  showDone(t(again ? 'tokens.deleted' : 'tokens.revoked', { name }));
  await refreshTokens();
}
