import { expect, it } from 'vitest';
import { canKeepBoth, joinTexts } from './keep-both';

it('is offered for long texts of which both sides have one', () => {
  expect(canKeepBoth({ type: 'markdown' }, 'a', 'b')).toBe(true);
  expect(canKeepBoth({ type: 'textarea' }, 'a', 'b')).toBe(true);
  expect(canKeepBoth({ type: 'text' }, 'a', 'b')).toBe(false);
  expect(canKeepBoth({ type: 'markdown' }, ' ', 'b')).toBe(false);
  expect(canKeepBoth({ type: 'markdown' }, 'a', null)).toBe(false);
});

it('puts one blank line between the two, and keeps what is within them', () => {
  expect(joinTexts('Theirs.\n\n', '\n    mine\n\nmore\n')).toBe('Theirs.\n\n    mine\n\nmore');
});
