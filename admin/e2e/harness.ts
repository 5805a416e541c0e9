/**
 * What every browser test stands on: the real binary on a fresh folder, somebody logged in, and a
 * watch for everything that the browser complains about.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';

export { expect } from '@playwright/test';

export const PASSWORD = 'correct horse';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BINARY = process.env.RECTO_BIN ?? join(ROOT, 'target/release/recto');

/** A running server and its folder. */
export interface Server {
  /** `http://127.0.0.1:40123` */
  url: string;
  /** The data folder. */
  folder: string;
  /** What the link for the setup carries. */
  setupToken: string;
  /** Ends the process and leaves the folder. */
  stop(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
}

/** Somebody who uses the admin API by themselves, to prepare what a test is about. */
export class Admin {
  private csrf = '';
  private cookie = '';

  constructor(
    private readonly url: string,
    readonly username: string,
  ) {}

  /** Any request; the body of the answer, whatever its status says unless `status` is given. */
  async send<T = unknown>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const form = body instanceof FormData;
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && !form && { 'Content-Type': 'application/json' }),
        'X-CSRF-Token': this.csrf,
        Cookie: this.cookie,
        ...headers,
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    this.csrf = response.headers.get('X-CSRF-Token') ?? this.csrf;
    const set = response.headers.get('Set-Cookie');
    if (set) this.cookie = set.split(';')[0] ?? '';
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** A request below `/admin/api/`; the `data` of the answer. */
  async api<T = Record<string, unknown>>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    return (await this.send<{ data: T }>(method, `/admin/api/${path}`, body, headers)).data;
  }

  /** Uploads a file; its item. */
  async upload(name: string, bytes: Uint8Array | string, type = 'image/png', workspace = 'default'): Promise<{ filename: string }> {
    const form = new FormData();
    form.append('media[]', new Blob([bytes as BlobPart], { type }), name);
    const [item] = await this.api<{ filename: string }[]>('POST', 'media', form, { 'X-Service-Workspace': workspace });
    if (!item) throw new Error(`${name} was not uploaded`);
    return item;
  }

  async setUp(token: string): Promise<this> {
    await this.take(await this.api('POST', 'setup', { username: this.username, password: PASSWORD, setup_token: token }));
    return this;
  }

  async logIn(): Promise<this> {
    await this.take(await this.api('POST', 'login', { username: this.username, password: PASSWORD }));
    return this;
  }

  private async take(me: { csrf_token?: unknown }): Promise<void> {
    this.csrf = String(me.csrf_token);
  }

  /** Makes a user with a role of their own, who may do just what the grants say. */
  async person(username: string, permissions: unknown[]): Promise<void> {
    const role = await this.api<{ id: string }>('POST', 'roles', { label: `Role of ${username}`, permissions });
    await this.api('POST', 'users', { username, password: PASSWORD, role: role.id });
  }

  /** Lets a browser be this somebody. */
  async lend(context: BrowserContext): Promise<void> {
    const [name = '', value = ''] = this.cookie.split('=');
    await context.addCookies([{ name, value, url: this.url, httpOnly: true, sameSite: 'Lax' }]);
  }
}

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
  /** Makes another browser, logged in as somebody. */
  another: (username: string) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  sample: [true, { option: true }],
  isSetUp: [true, { option: true }],
  loggedIn: [true, { option: true }],
  basePath: ['', { option: true }],
  serve: [[], { option: true }],
  expectedComplaints: [[], { option: true }],

  server: async ({ sample, basePath, serve }, use) => {
    const folder = join(mkdtempSync(join(tmpdir(), 'recto-e2e-')), 'data');
    if (!sample) {
      mkdirSync(join(folder, 'workspaces/default'), { recursive: true });
      writeFileSync(join(folder, 'workspaces/default/workspace.json'), '{"label":"Default"}\n');
    }
    const server = await start(folder, basePath, serve);
    await use(server);
    await server.stop();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  },

  admin: async ({ server, isSetUp }, use) => {
    const anna = new Admin(server.url, 'anna');
    if (isSetUp) await anna.setUp(server.setupToken);
    await use(anna);
  },

  baseURL: async ({ server }, use) => {
    await use(server.url);
  },

  complaints: async ({ expectedComplaints }, use) => {
    const complaints: string[] = [];
    await use(complaints);
    const unexpected = complaints.filter((it) => !expectedComplaints.some((known) => known.test(it)));
    expect(unexpected, 'what the browser complained about').toEqual([]);
  },

  page: async ({ page, admin, loggedIn, isSetUp, complaints }, use) => {
    await watch(page, complaints);
    if (loggedIn && isSetUp) await admin.lend(page.context());
    await use(page);
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
    complaints.push(`${message.type()}: ${message.text()}`);
  });
}

async function start(folder: string, basePath: string, args: string[]): Promise<Server> {
  const dir = process.env.RECTO_ADMIN_DIR;
  let child: ChildProcess | undefined;
  const listen = `127.0.0.1:${await freePort()}`;
  const base = basePath ? ['--base-url', `http://${listen}${basePath}`] : [];
  const server: Server = {
    url: `http://${listen}${basePath}`,
    folder,
    setupToken: '',
    async stop() {
      const running = child;
      child = undefined;
      if (!running || running.exitCode !== null) return;
      const gone = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      // Streams that stay open must not keep a test from ending.
      const forced = setTimeout(() => running.kill('SIGKILL'), 3000);
      await gone;
      clearTimeout(forced);
    },
    async start() {
      const running = spawn(
        BINARY,
        ['serve', '--data', folder, '--listen', listen, ...base, ...(dir ? ['--admin-dir', dir] : []), ...args],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      child = running;
      const line = await new Promise<string>((resolve, reject) => {
        let said = '';
        const hear = (bytes: Buffer) => {
          said += bytes.toString();
          const ready = /^Recto .* serves .*$/m.exec(said);
          if (ready) resolve(ready[0]);
        };
        running.stdout?.on('data', hear);
        running.stderr?.on('data', hear);
        running.once('exit', (code) => reject(new Error(`the server ended (${code}): ${said}`)));
        running.once('error', reject);
      });
      server.setupToken = /token=(\w+)/.exec(line)?.[1] ?? server.setupToken;
    },
  };
  await server.start();
  return server;
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** How a screen is looked at: every one of these has to be free of mistakes. */
const VIEWS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1360, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1360, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone, dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

/** Checks a screen against WCAG 2.2 AA in both schemes and widths, and that nothing sticks out. */
export async function checkA11y(page: Page, options: { exclude?: string[] } = {}): Promise<void> {
  const before = page.viewportSize();
  for (const view of VIEWS) {
    await page.setViewportSize(view.viewport);
    await page.emulateMedia({ colorScheme: view.colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', view.colorScheme);
    await settled(page);
    let axe = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
    for (const selector of options.exclude ?? []) axe = axe.exclude(selector);
    const { violations } = await axe.analyze();
    const found = violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary ?? rule.help}`),
    );
    expect.soft(found, `accessibility, ${view.name}`).toEqual([]);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(excess, `nothing sticks out sideways, ${view.name}`).toBeLessThanOrEqual(0);
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
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
  await page.setViewportSize(options.phone ? { width: 390, height: 844 } : { width: 1360, height: 900 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await settled(page);
    await page.screenshot({ path: join(ROOT, `docs/screenshots/${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}
