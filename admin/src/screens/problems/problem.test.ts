import { describe, expect, it } from 'vitest';
import type { ContentTypeShape } from '~/api/fields';
import type { ProblemKind } from '~/api/schema';
import { kindKey, placeOf, servedKey, splitAt } from './problem';

const TYPES = [{ name: 'posts' }, { name: 'start' }] as unknown as readonly ContentTypeShape[];

function problem(kind: ProblemKind, path: string, actions: ('restore-last-good' | 'accept')[] = []) {
  return { kind, path, actions, workspace: path.startsWith('workspaces/') ? 'default' : null };
}

describe('the place of a problem', () => {
  it('is the entry or the type that the file is about', () => {
    expect(placeOf(problem('bom', 'workspaces/default/content/posts/a-1.json'), TYPES)).toEqual({
      kind: 'entry', workspace: 'default', type: 'posts', id: 'a-1',
    });
    expect(placeOf(problem('schema_violation', 'workspaces/default/content/start/start.json'), TYPES)?.kind).toBe('entry');
    expect(placeOf(problem('broken_schema', 'workspaces/default/schemas/posts.json', ['restore-last-good']), TYPES)?.kind).toBe('type');
  });

  it('is none where nothing can be opened', () => {
    expect(placeOf(problem('invalid_json', 'workspaces/default/content/posts/a.json'), TYPES)).toBe(undefined);
    expect(placeOf(problem('unknown_type', 'workspaces/default/content/songs/a.json'), TYPES)).toBe(undefined);
    expect(placeOf(problem('invalid_name', 'workspaces/default/content/posts/bad name.json'), TYPES)).toBe(undefined);
    expect(placeOf(problem('invalid_json', 'system/webhooks.json'), TYPES)).toBe(undefined);
    expect(placeOf(problem('bom', 'workspaces/default/workspace.json'), TYPES)).toBe(undefined);
  });
});

describe('what is told of a problem', () => {
  it('is what readers get meanwhile', () => {
    expect(servedKey(problem('invalid_json', 'workspaces/w/content/posts/a.json', ['restore-last-good']))).toBe('problems.served.lastGood');
    expect(servedKey(problem('invalid_json', 'workspaces/w/content/posts/a.json'))).toBe('problems.served.unknown');
    expect(servedKey(problem('invalid_json', 'system/webhooks.json'))).toBe('problems.served.lastGoodSystem');
    expect(servedKey(problem('duplicate_slug', 'x'))).toBe('problems.served.oldestSlug');
    expect(servedKey(problem('orphan_revisions', 'x'))).toBe(undefined);
    expect(kindKey('orphan_revisions')).toBe('problems.kind.other');
  });
});

describe('a line', () => {
  it('is cut at the character that is meant', () => {
    expect(splitAt('{"a": 1', 3)).toEqual(['{"', 'a', '": 1']);
    expect(splitAt('🙂x', 2)).toEqual(['🙂', 'x', '']);
    expect(splitAt('abc', 9)).toEqual(['abc', '', '']);
    expect(splitAt('abc', null)).toEqual(['abc', '', '']);
  });
});
