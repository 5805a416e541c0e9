/** Runs for each file of tests: `t` knows all texts, and no global that a file replaces reaches the next. */
import { afterAll, vi } from 'vitest';
import { loadTexts } from '../src/i18n';

await loadTexts(['first', 'writing', 'later']);

afterAll(() => {
  vi.unstubAllGlobals();
});
