import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The browser without a window, where it is installed, needs a fifth less of the processor.
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

// Every test has a server of its own on a folder of its own, so they may run side by side, in any order.
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  globalSetup: './e2e/prepare.ts',
  // What passes only the second time is a defect, of the test or of the interface.
  retries: 0,
  workers: Number(process.env.E2E_WORKERS ?? 3),
  // Far more than any test takes, for machines that are busy with something else.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1360, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    // A new context for each test forgets the compiled scripts of the interface, too: a third of the time
    // went there. Cookies, storage, routes, listeners and pages are those of a new one either way.
    reuseContext: true,
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium'),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
