import { describe, expect, it } from 'vitest';
import { safeDestination } from './destination';

describe('where a login leads', () => {
  it('is the page that was asked for', () => {
    expect(safeDestination('/w/default/content/posts?filter[status]=draft#x')).toBe('/w/default/content/posts?filter[status]=draft#x');
    expect(safeDestination('/system/users')).toBe('/system/users');
  });

  it('is never another site', () => {
    for (const to of [
      'https://evil.test', '//evil.test', '/\\evil.test', '\\\\evil.test', 'javascript:alert(1)', '/\t/evil.test', '/x/..//evil.test', '', 7, undefined,
    ]) {
      expect(safeDestination(to), String(to)).toBe('/');
    }
  });

  it('is not the login again', () => {
    expect(safeDestination('/login?to=/login')).toBe('/');
    expect(safeDestination('/setup')).toBe('/');
  });
});
