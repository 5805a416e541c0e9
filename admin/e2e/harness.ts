/**
 * What every browser test stands on: the real binary on a folder of its own, somebody logged in, and a
 * watch for everything that the browser complains about.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, type Route, test as base } from '@playwright/test';
import type axe from 'axe-core';
import { Admin, freePort, makeScratch, ROOT, type Server, startServer } from './server';

export { expect } from '@playwright/test';
export { Admin, PASSWORD, type Server } from './server';

/** The folder of the interface. */
export const ROOT_ADMIN = join(ROOT, 'admin');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Options {
  /** Whether the folder begins with the sample content; else it has one empty workspace. */
  sample: boolean;
  /** Whether there is a user, `anna`, who may do everything. */
  isSetUp: boolean;
  /** Whether the page begins logged in as `anna`. */
  loggedIn: boolean;
  /** The path that everything lives below: `/cms`. */
  basePath: string;
  /** Further arguments of `recto serve`. */
  serve: string[];
  /** Complaints of the browser that the test brings about on purpose. */
  expectedComplaints: RegExp[];
}

interface Fixtures extends Options {
  server: Server;
  admin: Admin;
  complaints: string[];
  /** Makes the page that of somebody else. */
  become: (username: string) => Promise<void>;
  /** Makes another browser, logged in as somebody, for what two do at once. */
  another: (username: string) => Promise<Page>;
}

/** CodeMirror, where something scrolls it while it measures, as the look for accessibility does: it measures once more. */
const EDITOR_MEASURES = /Measure loop restarted more than 5 times/;

interface WorkerFixtures {
  /** Where the servers of this worker listen, one after the other, so that the browser knows their scripts. */
  port: number;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  sample: [true, { option: true }],
  isSetUp: [true, { option: true }],
  loggedIn: [true, { option: true }],
  basePath: ['', { option: true }],
  serve: [[], { option: true }],
  expectedComplaints: [[], { option: true }],

  // The runner wants a pattern here, be it empty.
  port: [async ({}, use) => use(await freePort()), { scope: 'worker' }],

  server: async ({ sample, isSetUp, basePath, serve, port }, use) => {
    const root = makeScratch();
    const folder = join(root, 'data');
    cpSync(prepared(`${sample ? 'sample' : 'empty'}${isSetUp ? '' : '-fresh'}`), folder, { recursive: true });
    const server = await startServer(folder, { port, basePath, args: serve });
    await use(server);
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  },

  admin: async ({ server, sample, isSetUp }, use) => {
    const session = prepared(`${sample ? 'sample' : 'empty'}.session.json`);
    await use(new Admin(server.url, 'anna', isSetUp ? JSON.parse(readFileSync(session, 'utf8')) : undefined));
  },

  baseURL: async ({ port }, use) => {
    await use(`http://127.0.0.1:${port}`);
  },

  complaints: async ({ expectedComplaints }, use) => {
    const complaints: string[] = [];
    await use(complaints);
    const known = [...expectedComplaints, EDITOR_MEASURES];
    const unexpected = complaints.filter((it) => !known.some((pattern) => pattern.test(it)));
    expect(unexpected, 'what the browser complained about').toEqual([]);
  },

  page: async ({ page, admin, loggedIn, isSetUp, complaints }, use) => {
    await watch(page, complaints);
    if (loggedIn && isSetUp) await admin.lend(page.context());
    await use(page);
    // The page is used again: it must not look for its server when another one is there.
    await page.goto('about:blank');
  },

  become: async ({ page, server }, use) => {
    await use(async (username) => {
      // What the page of the one before still asks for is not theirs to see.
      await page.goto('about:blank');
      await (await new Admin(server.url, username).logIn()).lend(page.context());
    });
  },

  another: async ({ browser, server, contextOptions, complaints }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (username) => {
      const context = await browser.newContext({ ...contextOptions, baseURL: server.url });
      contexts.push(context);
      await (await new Admin(server.url, username).logIn()).lend(context);
      const page = await context.newPage();
      await watch(page, complaints);
      return page;
    });
    for (const context of contexts) await context.close();
  },
});

/** Collects the requests that the server refuses from now on. */
export function collectRefused(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (it) => {
    if (it.status() >= 400) refused.push(`${it.status()} ${it.request().method()} ${it.url()}`);
  });
  return refused;
}

/** A file or folder that was made before the first test. */
function prepared(name: string): string {
  const root = process.env.RECTO_E2E_FOLDERS;
  if (!root) throw new Error('prepare.ts has not run');
  return join(root, name);
}

/** Collects what a browser complains about: errors of scripts, of the console, of the policy. */
async function watch(page: Page, complaints: string[]): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The browser notes every answer that refuses something; tests look at what the page makes of it.
    if (message.location().url.includes('/admin/api/') && message.text().startsWith('Failed to load resource')) return;
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
}

/**
 * Lets the test answer requests of a page that is open. The browser passes them on a moment after it was
 * told to, and until then they reach the server, so this waits for one that does not.
 */
export async function interceptRequests(page: Page, address: string | RegExp, handle: (route: Route) => unknown, options?: { times?: number }): Promise<void> {
  await page.route(address, handle, options);
  await page.route('**/healthz?intercepted', (route) => route.fulfill({ status: 204 }));
  const statusOf = () => page.evaluate(() => fetch('/healthz?intercepted').then(({ status }) => status));
  await expect.poll(statusOf, { message: 'requests are intercepted' }).toBe(204);
}

/** Waits until a drag by keyboard listens to keys, which it does a task after it is announced. */
export async function dragListens(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
}

/**
 * Gives the window another size and waits until the page has been told: the browser answers before it
 * sends `resize`, and a `resize` that comes later ends a drag by keyboard.
 */
export async function resizeWindow(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

const DESKTOP = { width: 1360, height: 900 };
const NARROW = { width: 1024, height: 768 };
const PHONE = { width: 390, height: 844 };

/** Takes all rules for every view, `SLOW=1`, where usually some are enough beside the other views. */
const slow = Boolean(process.env.SLOW);

/** How a screen is looked at: every one of these has to be free of mistakes. */
const VIEWS = [
  { name: 'light', colorScheme: 'light', viewport: DESKTOP, rules: 'all' },
  { name: 'phone, dark', colorScheme: 'dark', viewport: PHONE, rules: slow ? 'all' : 'look' },
] as const;
/** How every address is looked at. A scheme changes colours and nothing else. */
const ALL_VIEWS = [
  { name: 'light', colorScheme: 'light', viewport: DESKTOP, rules: 'all' },
  { name: 'phone, dark', colorScheme: 'dark', viewport: PHONE, rules: 'all' },
  { name: 'dark', colorScheme: 'dark', viewport: DESKTOP, rules: 'contrast' },
  // Between the others, it only has to fit.
  { name: 'narrow', colorScheme: 'light', viewport: NARROW, rules: slow ? 'all' : null },
  { name: 'phone', colorScheme: 'light', viewport: PHONE, rules: 'contrast' },
] as const;

const RULES = {
  all: {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // Rules that axe leaves out unless they are asked for.
    rules: { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } },
  },
  // Of the same elements at another size and in other colours.
  look: { runOnly: { type: 'rule', values: ['color-contrast', 'target-size'] } },
  contrast: { runOnly: { type: 'rule', values: ['color-contrast'] } },
} satisfies Record<string, axe.RunOptions>;

/**
 * Checks a screen against WCAG 2.2 AA and the best practices, light and wide as well as dark and on a
 * phone, and that nothing sticks out; not other sites in it. `thorough` takes every scheme and width.
 */
export async function checkA11y(page: Page, { thorough = false } = {}): Promise<void> {
  const before = page.viewportSize();
  // Into the page itself, which shows no other site: a page of its own for the evaluation, as
  // @axe-core/playwright opens one for each run, costs four times as much as the run.
  await page.evaluate(AXE);
  for (const view of thorough ? ALL_VIEWS : VIEWS) {
    await resizeWindow(page, view.viewport);
    await page.emulateMedia({ colorScheme: view.colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', view.colorScheme);
    await settled(page);
    const { found, excess } = await page.evaluate(async (options) => {
      const excess = document.documentElement.scrollWidth - window.innerWidth;
      if (!options) return { found: [], excess };
      // What opens over the page belongs to the control that opened it, not to a landmark.
      const inPopover = ({ target }: axe.NodeResult) => document.querySelector(String(target[0]))?.closest('[data-portal], body > :has(> .cm-tooltip)') != null;
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ ...options, resultTypes: ['violations'], iframes: false });
      return {
        found: violations.flatMap((rule) =>
          rule.nodes.filter((node) => rule.id !== 'region' || !inPopover(node)).map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary ?? rule.help}`),
        ),
        excess,
      };
    }, view.rules && RULES[view.rules]);
    expect.soft(found, `accessibility, ${view.name}`).toEqual([]);
    expect.soft(excess, `nothing sticks out sideways, ${view.name}`).toBeLessThanOrEqual(0);
  }
  if (before) await resizeWindow(page, before);
}

/** Waits until transitions are over, so that no half-faded colour is measured. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const inSight = [...document.images].filter((it) => !it.complete && it.getBoundingClientRect().top < window.innerHeight);
    await Promise.allSettled(inSight.map((it) => it.decode()));
    const running = () =>
      document.getAnimations().filter((it) => it.playState === 'running' && it.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < 50 && running().length > 0; turn += 1) {
      await Promise.allSettled(running().map((it) => it.finished));
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/**
 * Takes the pictures of a screen that the documentation shows, in both schemes, when asked for with
 * `SCREENSHOTS=1`; does nothing otherwise.
 */
export async function picture(page: Page, name: string, options: { phone?: boolean } = {}): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  const before = page.viewportSize();
  await resizeWindow(page, options.phone ? { width: 390, height: 844 } : { width: 1360, height: 900 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await settled(page);
    await expect.poll(() => page.evaluate(hasPlaceholders)).toBe(false);
    await page.screenshot({ path: join(ROOT, `docs/screenshots/${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await resizeWindow(page, before);
}

/** Returns true while something in the window is still loading. */
function hasPlaceholders(): boolean {
  const placeholders = [...document.querySelectorAll('.mantine-Skeleton-root')];
  return placeholders.some((it) => it.getBoundingClientRect().top < window.innerHeight);
}
