import { expect, test } from 'vitest';
import { acceptsFile, classOfPatterns, extensionOf, mediaClass, mimeOfName } from './kinds';

test('files are sorted as the server sorts them', () => {
  expect(mediaClass('image/svg+xml')).toBe('image');
  expect(mediaClass('text/csv')).toBe('document');
  expect(mediaClass('application/pdf')).toBe('document');
  expect(mediaClass('application/zip')).toBe('archive');
  expect(mediaClass('application/octet-stream')).toBe('other');
  expect(mediaClass('font/woff2')).toBe('other');
});

test('a name tells the type where nothing else is known', () => {
  expect(extensionOf('archive.tar.GZ')).toBe('gz');
  expect(extensionOf('.htaccess')).toBe('');
  expect(mimeOfName('Photo.JPG')).toBe('image/jpeg');
  expect(mimeOfName('nothing')).toBe('application/octet-stream');
});

test('patterns are those of a media field', () => {
  const pdf = { mime: 'application/pdf', filename: 'Prices.PDF' };
  expect(acceptsFile(pdf, undefined)).toBe(true);
  expect(acceptsFile(pdf, [])).toBe(true);
  expect(acceptsFile(pdf, ['image/*'])).toBe(false);
  expect(acceptsFile(pdf, ['image/*', '.pdf'])).toBe(true);
  expect(acceptsFile(pdf, ['application/pdf'])).toBe(true);
  expect(acceptsFile({ mime: 'imagery/x', filename: 'a' }, ['image/*'])).toBe(false);
});

test('patterns about one sort of file are asked of the server', () => {
  expect(classOfPatterns(['image/*'])).toBe('image');
  expect(classOfPatterns(['image/png', 'image/jpeg'])).toBe('image');
  expect(classOfPatterns(['.pdf', 'text/plain'])).toBe('document');
  expect(classOfPatterns(['image/*', 'video/*'])).toBeUndefined();
  expect(classOfPatterns(undefined)).toBeUndefined();
});
