import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

const KEY = 'recto.colour-scheme';

/** The storage of the chosen colour scheme; `public/boot.js` reads it before the first paint. */
export const schemeManager: MantineColorSchemeManager = {
  get(fallback) {
    try {
      const value = localStorage.getItem(KEY);
      return value === 'light' || value === 'dark' || value === 'auto' ? value : fallback;
    } catch {
      return fallback;
    }
  },
  set(value: MantineColorScheme) {
    try {
      localStorage.setItem(KEY, value);
    } catch {
      // It holds for as long as the page is open.
    }
  },
  subscribe() {},
  unsubscribe() {},
  clear() {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // There is nothing to remove.
    }
  },
};
