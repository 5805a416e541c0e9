import { expect, it } from 'vitest';
import { ApiError } from './error';

it('says what is wrong, and with which values', () => {
  const fields = { slug: 'It is taken.', 'data.place': 'It is missing.' };
  expect(new ApiError(422, { code: 'invalid', message: 'Not valid.', fields }).reasons).toBe('Not valid. slug: It is taken. data.place: It is missing.');
  expect(new ApiError(409, { code: 'conflict', message: 'Taken.' }).reasons).toBe('Taken.');
});
