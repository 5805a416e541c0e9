import { expect, it } from 'vitest';
import { readState } from '../list-state';
import { differsFromView, findView, stateOfView, viewQuery, withView } from './views';

const drafts = { id: 'd', name: 'Drafts', query: 'filter[status]=draft&sort=-updated_at', columns: ['title'] };
const views = { own: [drafts], shared: [{ ...drafts, id: 's' }] };

it('opens a view and finds that nothing was changed', () => {
  const state = stateOfView(drafts);
  expect(state).toMatchObject({ sort: '-updated_at', view: 'd', offset: 0 });
  expect(viewQuery(state)).toBe(drafts.query);
  expect(differsFromView(drafts, state)).toBe(false);
});

it('sees another query and other columns, and passes over the page', () => {
  const state = stateOfView(drafts);
  expect(differsFromView(drafts, { ...state, offset: 50, limit: 25 })).toBe(false);
  expect(differsFromView(drafts, { ...state, sort: '' })).toBe(true);
  expect(differsFromView(drafts, { ...state, columns: ['title', 'date'] })).toBe(true);
  expect(differsFromView(drafts, { ...state, columns: ['title'] })).toBe(false);
});

it('does not mind in which way a query is written', () => {
  expect(differsFromView({ ...drafts, query: 'sort=-updated_at&filter%5Bstatus%5D%5Beq%5D=draft' }, stateOfView(drafts))).toBe(false);
  expect(differsFromView({ ...drafts, query: '' }, readState({}))).toBe(false);
});

it('finds views and changes them', () => {
  expect(findView(views, 's')?.of).toBe('shared');
  expect(findView(views, 'x')).toBeUndefined();
  expect(withView(views.own, { id: 'd', name: 'Mine' })).toEqual([{ ...drafts, name: 'Mine' }]);
  expect(withView(views.own, { name: 'New', query: 'q=x' })).toEqual([drafts, { name: 'New', query: 'q=x' }]);
});
