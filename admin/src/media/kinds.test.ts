import { expect, test } from 'vitest';
import { accepts, classOfPatterns, extension, mediaClass, mimeOfName } from './kinds';

test('files are sorted as the server sorts them', () => {
  expect(mediaClass('image/svg+xml')).toBe('image');
  expect(mediaClass('text/csv')).toBe('document');
  expect(mediaClass('application/pdf')).toBe('document');
  expect(mediaClass('application/zip')).toBe('archive');
  expect(mediaClass('application/octet-stream')).toBe('other');
  expect(mediaClass('font/woff2')).toBe('other');
});

test('a name tells the type where nothing else is known', () => {
  expect(extension('archive.tar.GZ')).toBe('gz');
  expect(extension('.htaccess')).toBe('');
  expect(mimeOfName('Photo.JPG')).toBe('image/jpeg');
  expect(mimeOfName('nothing')).toBe('application/octet-stream');
});

test('patterns are those of a media field', () => {
  const pdf = { mime: 'application/pdf', filename: 'Prices.PDF' };
  expect(accepts(pdf, undefined)).toBe(true);
  expect(accepts(pdf, [])).toBe(true);
  expect(accepts(pdf, ['image/*'])).toBe(false);
  expect(accepts(pdf, ['image/*', '.pdf'])).toBe(true);
  expect(accepts(pdf, ['application/pdf'])).toBe(true);
  expect(accepts({ mime: 'imagery/x', filename: 'a' }, ['image/*'])).toBe(false);
});

test('patterns about one sort of file are asked of the server', () => {
  expect(classOfPatterns(['image/*'])).toBe('image');
  expect(classOfPatterns(['image/png', 'image/jpeg'])).toBe('image');
  expect(classOfPatterns(['.pdf', 'text/plain'])).toBe('document');
  expect(classOfPatterns(['image/*', 'video/*'])).toBeUndefined();
  expect(classOfPatterns(undefined)).toBeUndefined();
});
