/**
 * How long people wait: for a form that can be typed in, on slow networks and a slow machine, and for a
 * letter in a long text. Run by `npm run measure` on a calm machine; nothing here fails by being slow.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request, type Server as Proxy } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from './harness';

test.skip(!process.env.MEASURE, 'takes minutes, and says nothing on a busy machine');
test.use({ reuseContext: false });
test.describe.configure({ mode: 'serial', timeout: 900_000 });

const ENTRY = '/admin/w/default/content/posts/01k8dgcxw03f14ch';
const RUNS = 5;
/** Bytes per second, and milliseconds from a request to its answer. */
const NETWORKS = {
  'slow 3G': { rate: 400_000 / 8, latency: 400 },
  'fast 3G': { rate: 1_600_000 / 8, latency: 150 },
};
const CPU_SLOWDOWN = 4;

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const percentile = (times: readonly number[], part: number) => [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;

/**
 * Stands before a server that reads the interface from a folder, and sends its files as a release does:
 * compressed as well as possible, and to be kept.
 */
async function actAsRelease(server: string, dist: string): Promise<Proxy> {
  const files = new Map<string, Buffer>();
  const proxy = createServer((asked, answer) => {
    const [, name = ''] = /^\/admin\/_\/[^/]+\/(.*)$/.exec(asked.url ?? '') ?? [];
    const path = join(dist, name);
    if (name && existsSync(path)) {
      const bytes = files.get(name) ?? brotliCompressSync(readFileSync(path));
      files.set(name, bytes);
      const type = name.endsWith('.css') ? 'text/css' : name.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript';
      answer.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'cache-control': 'public, max-age=31536000, immutable' });
      answer.end(bytes);
      return;
    }
    const on = request(new URL(asked.url ?? '/', server), { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    answer.on('close', () => on.destroy());
    asked.pipe(on);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return proxy;
}

/** Opens an entry and types a letter into its title; gives the milliseconds until it was shown. */
async function timeToTyped(page: Page, session: CDPSession, network: { rate: number; latency: number }, address: string): Promise<number> {
  await page.goto('about:blank');
  await session.send('Network.emulateNetworkConditions', {
    offline: false, latency: network.latency, downloadThroughput: network.rate, uploadThroughput: network.rate,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(address, { waitUntil: 'commit', timeout: 120_000 });
  const title = page.locator('#field-title');
  await title.press('End', { timeout: 120_000 });
  await title.press('x');
  const typed = await page.evaluate(
    () => new Promise<number>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))),
  );
  await expect(title).toHaveValue(/x/);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  return typed;
}

test('an entry can be typed in', async ({ page, server }) => {
  const dist = process.env.RECTO_ADMIN_DIR;
  const proxy = dist ? await actAsRelease(server.url, dist) : undefined;
  const address = `${proxy ? `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` : server.url}${ENTRY}`;
  page.on('dialog', (dialog) => void dialog.accept());
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  for (const [name, network] of Object.entries(NETWORKS)) {
    const times: Record<'cold' | 'warm', number[]> = { cold: [], warm: [] };
    for (let run = 0; run < RUNS; run += 1) {
      await session.send('Network.clearBrowserCache');
      times.cold.push(await timeToTyped(page, session, network, address));
      // The browser keeps compiled scripts from the second visit on.
      await timeToTyped(page, session, NETWORKS['fast 3G'], address);
      times.warm.push(await timeToTyped(page, session, network, address));
    }
    for (const [kind, list] of Object.entries(times)) {
      console.log(`${name}, CPU ÷ ${CPU_SLOWDOWN}, ${kind}: ${Math.round(median(list))} ms (${list.map(Math.round).join(', ')})`);
    }
  }
  proxy?.closeAllConnections();
  proxy?.close();
});

/** A text of about 200 kB with everything that Markdown has. */
const LONG = Array.from(
  { length: 520 },
  (_, n) => `## Part ${n}\n\nA paragraph with **strong** and *soft* words, a [link](https://example.com/${n}) and \`code\`. ${'It goes on for a while. '.repeat(8)}\n\n- one\n- two\n  - three\n\n> Said by somebody.\n\n`,
).join('');

test('a letter appears in a long text', async ({ page, admin }) => {
  await admin.api('POST', 'content-types', {
    name: 'texts',
    label: 'Texts',
    fields: { title: { type: 'text' }, body: { type: 'markdown', label: 'Body' } },
  });
  const { id } = await admin.api<{ id: string }>('POST', 'content/texts', { title: 'One', body: LONG });
  for (const mode of ['Visual', 'Source']) {
    await page.goto(`/admin/w/default/content/texts/${id}`);
    await page.getByRole('group', { name: 'Body', exact: true }).locator('label', { hasText: mode }).click();
    const text = page.getByRole('textbox', { name: 'Body', exact: true });
    await text.click();
    await page.keyboard.press('Control+Home');
    for (let line = 0; line < 12; line += 1) await page.keyboard.press('ArrowDown');
    const times: number[] = [];
    for (let n = 0; n < 120; n += 1) {
      await page.evaluate(() => {
        const state = window as unknown as { frame?: Promise<number> };
        state.frame = new Promise((done) => {
          document.addEventListener(
            'keydown',
            ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => done(performance.now() - timeStamp))),
            { once: true, capture: true },
          );
        });
      });
      await page.keyboard.press('x');
      times.push(await page.evaluate(() => (window as unknown as { frame: Promise<number> }).frame));
    }
    console.log(`${LONG.length} characters, ${mode}: key to frame ${percentile(times, 0.5).toFixed(1)} ms median, ${percentile(times, 0.95).toFixed(1)} ms p95`);
  }
});
