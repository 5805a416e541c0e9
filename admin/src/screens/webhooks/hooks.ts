/** The events of webhooks, their states, and the changes to the list of them. */
import type { components } from '~/api/schema';

export type Webhook = components['schemas']['Webhook'];
export type WebhookInput = components['schemas']['WebhookInput'];
export type Delivery = components['schemas']['Delivery'];

/** The events that webhooks can be told of, by what they are about. */
export const EVENTS = {
  content: [
    'content.created', 'content.updated', 'content.published', 'content.unpublished', 'content.deleted',
    'content.restored', 'content.purged',
  ],
  change: ['change.published'],
  media: ['media.uploaded', 'media.updated', 'media.deleted', 'media.category_created', 'media.category_renamed', 'media.category_deleted'],
  schema: ['schema.created', 'schema.updated', 'schema.deleted'],
} as const;
type EventGroup = keyof typeof EVENTS;
export const GROUPS = Object.keys(EVENTS) as EventGroup[];

/** The states of a webhook, worst first where several apply. */
export type WebhookState = 'off' | 'noSecret' | 'failing' | 'waiting' | 'fine' | 'quiet';

export function stateOf(hook: Webhook): WebhookState {
  if (!hook.enabled) return 'off';
  if (!hook.secret_set) return 'noSecret';
  if (hook.last_delivery && hook.last_delivery.state !== 'delivered') return 'failing';
  if (hook.waiting > 0) return 'waiting';
  return hook.last_delivery ? 'fine' : 'quiet';
}

/** The single events that patterns (`content.*`, `*`) and names stand for. */
export function chosenEvents(patterns: readonly string[]): Set<string> {
  const chosen = new Set<string>();
  for (const group of GROUPS) {
    for (const event of EVENTS[group]) {
      if (patterns.some((it) => it === '*' || it === event || it === `${group}.*`)) chosen.add(event);
    }
  }
  return chosen;
}

/** A group of one event has no pattern. */
function patternOf(group: EventGroup): string {
  return EVENTS[group].length > 1 ? `${group}.*` : EVENTS[group][0];
}

/** The shortest patterns that stand for the chosen events. Events we don't know of stay as they are. */
export function patternsOf(chosen: ReadonlySet<string>, before: readonly string[] = []): string[] {
  const whole = GROUPS.filter((group) => EVENTS[group].every((it) => chosen.has(it)));
  const known = new Set<string>(['*', ...GROUPS.map((it) => `${it}.*`), ...GROUPS.flatMap((it) => [...EVENTS[it]])]);
  const foreign = before.filter((it) => !known.has(it));
  if (whole.length === GROUPS.length) return ['*'];
  const ours = GROUPS.flatMap((group) =>
    whole.includes(group) ? [patternOf(group)] : EVENTS[group].filter((it) => chosen.has(it)),
  );
  return [...ours, ...foreign];
}

/** Returns the input for a webhook that stays as it is: all of it, since the server ignores what it does not accept. */
function toInput(hook: Webhook): WebhookInput {
  const input: WebhookInput & Partial<Webhook> = { ...hook };
  delete input.secret;
  return input;
}

/** A webhook in the list was removed by somebody else meanwhile. */
export class WebhookGone extends Error {}

/**
 * The list with one webhook changed, added (`id` left away) or, with nothing given, removed. The
 * others are sent back just as they were read.
 */
export function changeList(
  list: readonly Webhook[],
  id: string | undefined,
  change: Partial<WebhookInput> | null,
): WebhookInput[] {
  const same = list.map(toInput);
  if (id === undefined) return change ? [...same, change as WebhookInput] : same;
  const index = list.findIndex((it) => it.id === id);
  if (index < 0) throw new WebhookGone(id);
  if (change === null) return same.filter((_, at) => at !== index);
  return same.map((it, at) => (at === index ? { ...it, ...change } : it));
}

/** The mistakes of one webhook: the server names them by place, `webhooks[2].url`. */
export function fieldErrorsOf(fields: Readonly<Record<string, string>>, index: number): Record<string, string> {
  const prefix = `webhooks[${index}].`;
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const own = path.startsWith(prefix) ? path.slice(prefix.length) : path;
      // Of a list, which of its items is wrong is in the message.
      return [own.replace(/\[.*$/, ''), message];
    }),
  );
}

/** Only attempts that were not taken. */
export function failedDeliveries(deliveries: readonly Delivery[]): Delivery[] {
  return deliveries.filter((it) => it.state !== 'delivered');
}

/** A text as indented JSON, where it is JSON. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
