/** The usual purposes of tokens. */
import type { Grant } from '~/api/schema';

export const PRESETS = ['published', 'build', 'content', 'upload', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

type Part = Pick<Grant, 'actions' | 'conditions'> & { on: string };

const PARTS: Record<Exclude<Preset, 'custom'>, readonly Part[]> = {
  published: [
    { actions: ['content.read'], on: 'content:*', conditions: { status: ['published'] } },
    { actions: ['schema.read'], on: 'schema:*' },
  ],
  build: [
    { actions: ['content.read'], on: 'content:*' },
    { actions: ['media.read'], on: 'media:*' },
    { actions: ['schema.read'], on: 'schema:*' },
  ],
  content: [
    { actions: ['content.*'], on: 'content:*' },
    { actions: ['media.*'], on: 'media:*' },
    { actions: ['schema.read'], on: 'schema:*' },
  ],
  upload: [{ actions: ['media.read', 'media.upload'], on: 'media:*' }],
};

/** The grants of a preset, in some workspaces or in all. */
export function presetGrants(preset: Exclude<Preset, 'custom'>, scope: readonly string[]): Grant[] {
  return PARTS[preset].map(({ actions, on, conditions }) => ({
    effect: 'allow',
    actions,
    resources: scope.length > 0 ? scope.map((slug) => `workspace:${slug}:${on}`) : [on],
    ...(conditions && { conditions }),
  }));
}

const DAY = 24 * 60 * 60 * 1000;

/** The lifetimes of tokens: days, for ever, or until a date. */
export const LIFETIMES = ['30', '90', '365', 'never', 'date'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** Returns the time at which a token ends, as the server reads it; never without. */
export function expiryTime(lifetime: Lifetime, date: string | null, now: number): string | null {
  if (lifetime === 'never') return null;
  if (lifetime === 'date') return date;
  return `${new Date(now + Number(lifetime) * DAY).toISOString().slice(0, 19)}Z`;
}

/** A call that the token is good for, to try it with. */
export function curlSample(token: string, grants: readonly Grant[], at: { base: string; workspace: string; type: string | undefined }): string {
  const may = (action: string) => grants.some((it) => it.effect === 'allow' && it.actions.some((one) => one === action || one === '*' || one === `${action.split('.')[0]}.*`));
  const root = `${at.base}/api/v1/workspaces/${at.workspace}`;
  const call = ['curl', `-H 'Authorization: Bearer ${token}'`];
  if (may('content.read') && at.type) call.push(`'${root}/content/${at.type}?limit=5&pretty=1'`);
  else if (may('media.upload')) call.push(`-F 'media[]=@picture.jpg'`, `'${root}/media'`);
  else if (may('media.read')) call.push(`'${root}/media?limit=5&pretty=1'`);
  else call.push(`'${root}/content-types?pretty=1'`);
  return call.join(' \\\n  ');
}

/** The workspace that a sample is best about: one that the grants speak of, else the given one. */
export function sampleWorkspace(grants: readonly Grant[], current: string): string {
  const named = grants.flatMap((grant) => grant.resources.map((it) => /^workspace:([^:*]+):/.exec(it)?.[1]));
  return named.includes(current) || named.every((it) => it === undefined) ? current : (named.find((it) => it !== undefined) ?? current);
}
