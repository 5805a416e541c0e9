import type { Grant } from '~/api/schema';
import { t } from '~/i18n';

/** Reads grants that were typed as JSON; of the values themselves the server is the judge. */
export function parseGrants(text: string): { grants: Grant[] } | { problem: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { problem: t('roles.grants.invalidJson', { problem: error instanceof Error ? error.message : '' }) };
  }
  if (!Array.isArray(parsed)) return { problem: t('roles.grants.jsonList') };
  const grants = parsed.map(asGrant);
  return grants.every((it) => it !== undefined) ? { grants } : { problem: t('roles.grants.jsonList') };
}

function asGrant(value: unknown): Grant | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { effect = 'allow', actions, resources } = value as Partial<Grant>;
  if (effect !== 'allow' && effect !== 'deny') return undefined;
  const isList = (it: unknown): it is string[] => Array.isArray(it) && it.every((one) => typeof one === 'string');
  if (!isList(actions) || !isList(resources)) return undefined;
  return { ...value, effect, actions, resources };
}
