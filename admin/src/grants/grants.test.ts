import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Grant } from '~/api/schema';
import { setLanguage } from '~/i18n';
import { compressActions, expandActions, NAMED_ACTIONS } from './actions';
import { decideAction } from './effective';
import { readGrant, writeGrant } from './shape';
import { grantSummary, type Names } from './summary';

const names: Names = {
  type: (name) => ({ posts: 'Posts', pages: 'Pages' })[name] ?? name,
  workspace: (slug) => ({ garden: 'Garden', shop: 'Shop' })[slug] ?? slug,
  actions: NAMED_ACTIONS,
};

function grant(actions: string, resources: string, more: Partial<Grant> = {}): Grant {
  return { effect: 'allow', actions: actions.split(' '), resources: resources.split('|'), ...more };
}

describe('actions', () => {
  it('are written in the fewest words', () => {
    expect(compressActions(NAMED_ACTIONS, NAMED_ACTIONS)).toEqual(['*']);
    expect(compressActions(expandActions(['media.*', 'content.read'], NAMED_ACTIONS), NAMED_ACTIONS)).toEqual(['content.read', 'media.*']);
    expect(expandActions(['content.revisions.*'], NAMED_ACTIONS)).toEqual(['content.revisions.read', 'content.revisions.restore']);
    expect(compressActions(['webhooks.manage'], NAMED_ACTIONS)).toEqual(['webhooks.manage']);
  });
});

describe('the shape of a grant', () => {
  it.each([
    grant('*', '*'),
    grant('content.read content.create', 'content:posts:*'),
    grant('content.*', 'workspace:garden:content:posts:*|workspace:garden:content:pages:*'),
    grant('content.read', 'workspace:garden:content:*|workspace:shop:content:*'),
    grant('content.update', 'content:posts:hello', { conditions: { own: true, status: ['draft'], locales: ['en'] } }),
    grant('content.read media.read', 'content:*|media:category:Photos / Travel'),
    grant('media.*', 'media:*', { effect: 'deny', fields: ['seo_*'] }),
    grant('schema.read users.read', 'schema:posts|users:*'),
  ])('reads and writes back %j', (given) => {
    const shape = readGrant(given, NAMED_ACTIONS);
    expect(shape).toBeDefined();
    if (shape) expect(writeGrant(shape, NAMED_ACTIONS)).toEqual(given);
  });

  it.each([
    ['other resources in other workspaces', grant('content.read', 'workspace:garden:content:posts:*|content:pages:*')],
    ['a form of its own', grant('content.read', 'content:posts:read')],
    ['a resource that no action is about', grant('content.read', 'content:*|media:*')],
    ['an action without a resource', grant('content.read media.read', 'content:*')],
    ['everything and something narrowed', grant('content.read', '*|workspace:garden:content:*')],
    ['wildcards within names', grant('content.read', 'con*')],
  ])('is not there for %s', (_, given) => {
    expect(readGrant(given, NAMED_ACTIONS)).toBeUndefined();
  });

  it('spells out what a star means', () => {
    const shape = readGrant(grant('dashboard.read workspaces.read', '*'), NAMED_ACTIONS);
    expect(Object.keys(shape?.areas ?? {})).toEqual(['dashboard', 'workspaces']);
    const inside = readGrant(grant('content.read users.read', 'workspace:garden:*|users:*'), NAMED_ACTIONS);
    expect(inside?.scope).toEqual(['garden']);
    expect(inside && writeGrant(inside, NAMED_ACTIONS).resources).toEqual(['workspace:garden:content:*', 'users:*']);
  });
});

const SENTENCES: [Grant, string, string][] = [
  [grant('*', '*'), 'Can do everything.', 'Darf alles tun.'],
  [
    grant('content.read content.create', 'workspace:garden:content:posts:*', { conditions: { own: true } }),
    'Can read and create entries of Posts, only their own, in workspace Garden.',
    'Darf Einträge von Posts lesen und erstellen, nur eigene, im Arbeitsbereich Garden.',
  ],
  [
    grant('content.*', 'workspace:garden:content:*|workspace:shop:content:*'),
    'Can do everything with entries of all types, in workspaces Garden and Shop.',
    'Darf mit Einträgen aller Typen alles tun, in den Arbeitsbereichen Garden und Shop.',
  ],
  [
    grant('content.read content.revisions.read media.read', 'content:*|media:*'),
    'Can read entries of all types, view their earlier versions, and view all media.',
    'Darf Einträge aller Typen lesen, deren frühere Versionen ansehen und alle Medien ansehen.',
  ],
  [
    grant('content.delete', 'content:posts:*|content:pages:*', { effect: 'deny', conditions: { status: ['published', 'scheduled'] } }),
    'Can never delete entries of Posts and Pages, if the status is Published or Scheduled.',
    'Darf nie Einträge von Posts und Pages löschen, wenn der Status Veröffentlicht oder Geplant ist.',
  ],
  [
    grant('content.update', 'content:posts:hello', { fields: ['title'], conditions: { locales: ['en', 'de'] } }),
    'Can edit the entry “hello” of Posts, only in the languages en or de, only the field title.',
    'Darf den Eintrag „hello“ von Posts bearbeiten, nur in den Sprachen en oder de, nur das Feld title.',
  ],
  [grant('users.read', 'users:*'), 'Can view users.', 'Darf Benutzer ansehen.'],
  [
    grant('content.read', 'content:posts:read'),
    'Can take the actions content.read on content:posts:read.',
    'Darf die Aktionen content.read auf content:posts:read ausführen.',
  ],
  [grant('content.read', 'content:*', { actions: [], resources: [] }), 'Allows nothing yet.', 'Erlaubt noch nichts.'],
];

describe('the summary of a grant', () => {
  beforeAll(() => vi.stubGlobal('document', { documentElement: {} }));
  afterAll(() => setLanguage('en'));

  it.each(SENTENCES)('of %j is %s', async (given, english, german) => {
    await setLanguage('en');
    expect(grantSummary(given, names)).toBe(english);
    await setLanguage('de');
    expect(grantSummary(given, names)).toBe(german);
  });
});

describe('grants together', () => {
  const author = [
    grant('content.read', 'content:*'),
    grant('content.update', 'content:posts:*', { conditions: { own: true } }),
    grant('content.delete', '*'),
    grant('content.delete', 'workspace:garden:content:posts:*', { effect: 'deny' }),
    grant('content.publish', 'content:*'),
    grant('content.publish', 'content:posts:*', { effect: 'deny', conditions: { status: ['archived'] } }),
  ];
  it.each([
    ['content.read', 'content:posts:*', 'yes'],
    ['content.update', 'content:posts:*', 'partly'],
    ['content.update', 'content:pages:*', 'no'],
    ['content.delete', 'content:posts:*', 'no'],
    ['content.delete', 'content:pages:*', 'yes'],
    ['content.publish', 'content:posts:*', 'partly'],
    ['media.read', 'media:*', 'no'],
  ] as const)('%s on %s: %s', (action, resource, expected) => {
    expect(decideAction(author, 'garden', action, resource)).toBe(expected);
  });

  it('count in their workspace only', () => {
    expect(decideAction(author, 'shop', 'content.delete', 'content:posts:*')).toBe('yes');
    expect(decideAction([grant('content.read', 'workspace:garden:content:posts:read')], 'garden', 'content.read', 'content:posts:*')).toBe('yes');
    expect(decideAction([grant('content.read', 'workspace:garden:content:posts:read')], 'shop', 'content.read', 'content:posts:*')).toBe('no');
  });
});
