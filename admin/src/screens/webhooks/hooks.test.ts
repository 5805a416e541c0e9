import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { changeList, chosenEvents, type Delivery, EVENTS, fieldErrorsOf, patternsOf, prettyJson, stateOf, type Webhook, WebhookGone } from './hooks';
import { SNIPPETS } from './snippets';

const delivery = (state: Delivery['state']): Delivery => ({
  id: 'd', webhook_id: 'a', message_id: 'm', event: 'content.created', workspace: 'default', state, attempt: 1,
  occurred_at: '', attempted_at: '', next_attempt_at: null, status: 200, latency_ms: 1, error: null, request_id: null,
  body: '{}', response: null,
});
const hook = (id: string, more: Partial<Webhook> = {}): Webhook => ({
  id, name: id, url: `https://${id}.example.org`, events: ['*'], workspaces: ['*'], enabled: true, created_at: null,
  secret_set: true, debounce_seconds: 0, waiting: 0, last_delivery: null, ...more,
});

describe('how a webhook fares', () => {
  it('tells the worst first', () => {
    expect(stateOf(hook('a'))).toBe('quiet');
    expect(stateOf(hook('a', { last_delivery: delivery('delivered') }))).toBe('fine');
    expect(stateOf(hook('a', { last_delivery: delivery('retrying'), waiting: 3 }))).toBe('failing');
    expect(stateOf(hook('a', { waiting: 3 }))).toBe('waiting');
    expect(stateOf(hook('a', { secret_set: false }))).toBe('noSecret');
    expect(stateOf(hook('a', { enabled: false, last_delivery: delivery('failed') }))).toBe('off');
  });
});

describe('events', () => {
  it('are written as short as can be', () => {
    expect(patternsOf(chosenEvents(['*']))).toEqual(['*']);
    expect(patternsOf(chosenEvents(['media.*', 'content.created']))).toEqual(['content.created', 'media.*']);
    expect(patternsOf(chosenEvents(EVENTS.media))).toEqual(['media.*']);
    expect(patternsOf(chosenEvents(['content.*', 'change.published']))).toEqual(['content.*', 'change.published']);
    expect(patternsOf(new Set())).toEqual([]);
  });

  it('that are not known stay', () => {
    expect(patternsOf(chosenEvents(['forms.*', 'media.*']), ['forms.*', 'media.*'])).toEqual(['media.*', 'forms.*']);
  });
});

describe('the list', () => {
  // A key of a later version of the server.
  const list = [hook('a', { note: 'kept' } as Partial<Webhook>), hook('b')];

  it('keeps the others as they were', () => {
    const changed = changeList(list, 'b', { enabled: false });
    expect(changed[0]).toMatchObject({ id: 'a', note: 'kept', enabled: true });
    expect(changed[1]).toMatchObject({ id: 'b', enabled: false, url: 'https://b.example.org' });
  });

  it('never sends secrets that are not meant', () => {
    const changed = changeList([hook('a', { secret: 'whsec_x' }), hook('b')], 'b', { secret: null });
    expect('secret' in (changed[0] ?? {})).toBe(false);
    expect(changed[1]?.secret).toBe(null);
  });

  it('takes one in and one out', () => {
    expect(changeList(list, undefined, { name: 'c', url: 'https://c', events: ['*'], enabled: true })).toHaveLength(3);
    expect(changeList(list, 'a', null).map((it) => it.id)).toEqual(['b']);
  });

  it('says when a webhook is gone', () => {
    expect(() => changeList(list, 'c', { enabled: false })).toThrow(WebhookGone);
  });
});

it('finds the mistakes of one webhook', () => {
  expect(fieldErrorsOf({ 'webhooks[1].url': 'No.', 'webhooks[1].events[0]': 'Unknown.' }, 1)).toEqual({ url: 'No.', events: 'Unknown.' });
});

it('indents what is JSON', () => {
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(prettyJson('ok')).toBe('ok');
});

it('shows the samples of the documentation', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../../docs/WEBHOOKS.md', import.meta.url)), 'utf8');
  const missing = SNIPPETS.filter(({ code }) => !page.includes(`\n${code}\n\`\`\`\n`));
  expect(missing.map((it) => it.name)).toEqual([]);
});
