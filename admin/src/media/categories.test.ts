import { expect, test } from 'vitest';
import { canMove, categoryName, categoryTree, depthOf, destinations, isWithin, joinCategory, parentCategory, pathAfterMove } from './categories';

const ALL = ['Graphics', 'Photos', 'Photos / Kitchen', 'Photos / Travel', 'Photos / Travel / South'];

test('a path has a name, a parent and a depth', () => {
  expect(categoryName('Photos / Travel')).toBe('Travel');
  expect(categoryName('Photos')).toBe('Photos');
  expect(parentCategory('Photos / Travel / South')).toBe('Photos / Travel');
  expect(parentCategory('Photos')).toBe('');
  expect(joinCategory('', 'Photos')).toBe('Photos');
  expect(joinCategory('Photos', 'Travel')).toBe('Photos / Travel');
  expect(depthOf('Photos / Travel')).toBe(1);
});

test('a category is within itself and those above it', () => {
  expect(isWithin('Photos / Travel', 'Photos')).toBe(true);
  expect(isWithin('Photos', 'Photos')).toBe(true);
  expect(isWithin('Photoshop', 'Photos')).toBe(false);
});

test('paths become a tree, with parents that nobody named', () => {
  const tree = categoryTree(ALL);
  expect(tree.map((it) => it.name)).toEqual(['Graphics', 'Photos']);
  expect(tree[1]?.children.map((it) => it.path)).toEqual(['Photos / Kitchen', 'Photos / Travel']);
  expect(categoryTree(['A / B'])[0]?.children[0]?.path).toBe('A / B');
});

test('a category is moved anywhere but into itself', () => {
  expect(destinations('Photos / Travel', ALL)).toEqual(['', 'Graphics', 'Photos / Kitchen']);
  expect(canMove('Photos', 'Photos / Travel')).toBe(false);
  expect(canMove('Photos', '')).toBe(false);
  expect(canMove('Graphics', 'Photos')).toBe(true);
});

test('what lies in a category moves with it', () => {
  expect(pathAfterMove('Photos / Travel / South', 'Photos / Travel', 'Trips')).toBe('Trips / South');
  expect(pathAfterMove('Photos', 'Photos / Travel', 'Trips')).toBe('Photos');
});
