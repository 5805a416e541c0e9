import { describe, expect, it } from 'vitest';
import { errorsOfGrant } from './errors';
import { parseGrants } from './json';
import { canAsk, type Question, resourceOf, toAccessQuestion } from './question';

const asked: Question = { kind: 'role', who: 'author', action: 'content.update', workspace: 'garden', type: 'posts', item: '', status: '', own: false };

describe('a question of access', () => {
  it.each([
    [{}, 'workspace:garden:content:posts:*'],
    [{ item: ' hello ' }, 'workspace:garden:content:posts:hello'],
    [{ action: 'schema.update' }, 'workspace:garden:schema:posts'],
    [{ action: 'schema.create', type: '' }, 'workspace:garden:schema:*'],
    [{ action: 'media.read', item: 'a.png' }, 'workspace:garden:media:a.png'],
    [{ action: 'users.read' }, 'users:*'],
  ])('with %j is about %s', (change, resource) => {
    expect(resourceOf({ ...asked, ...change })).toBe(resource);
  });

  it('says only what matters', () => {
    expect(toAccessQuestion({ ...asked, status: 'draft', own: true })).toEqual({
      role: 'author', action: 'content.update', resource: 'workspace:garden:content:posts:*', status: 'draft', own: true,
    });
    expect(toAccessQuestion({ ...asked, kind: 'me', who: '', action: 'users.read', status: 'draft', own: true })).toEqual({
      action: 'users.read', resource: 'users:*',
    });
  });

  it('needs somebody and something', () => {
    expect(canAsk(asked)).toBe(true);
    expect(canAsk({ ...asked, who: '' })).toBe(false);
    expect(canAsk({ ...asked, type: '' })).toBe(false);
    expect(canAsk({ ...asked, kind: 'me', who: '' })).toBe(true);
  });
});

describe('grants as JSON', () => {
  it('are read as they are typed', () => {
    expect(parseGrants('[{"actions":["*"],"resources":["*"],"fields":["a"]}]')).toEqual({
      grants: [{ effect: 'allow', actions: ['*'], resources: ['*'], fields: ['a'] }],
    });
  });
  it.each(['', '{}', '[1]', '[{"actions":"*","resources":["*"]}]', '[{"effect":"maybe","actions":[],"resources":[]}]'])('are refused: %s', (text) => {
    expect(parseGrants(text)).toHaveProperty('problem');
  });
});

it('errors find their grant', () => {
  const errors = { 'permissions[1].actions[0]': 'a', 'permissions[11].actions': 'b', label: 'c', 'permissions[1]': 'd' };
  expect(errorsOfGrant(errors, 1)).toEqual({ 'actions[0]': 'a', '': 'd' });
});
