/**
 * The weight of the first screens: the requests and bytes of somebody who opens them for the first time.
 * Sizes are facts; how long they take is measured elsewhere.
 */
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { expect, test } from './harness';

interface Weight {
  requests: number;
  bytes: number;
}

declare global {
  interface Window {
    /** When controls could be used, by selector, in milliseconds since the page was asked for. */
    usableAt?: Record<string, number>;
  }
}

/**
 * Scripts, styles and answers that were asked for until a screen could be used, compressed as a release
 * sends them. The page itself notes that moment: a test that looks from outside may be late.
 */
async function weigh(page: Page, address: string, control: string): Promise<Weight & { list: string[] }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.addInitScript((selector) => {
    const look = () => {
      if (document.querySelector(selector)) (window.usableAt ??= {})[selector] ??= performance.now();
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
  }, control);
  const asked: Request[] = [];
  const keep = (request: Request) => void asked.push(request);
  page.on('request', keep);
  await page.goto(address);
  await expect(page.locator(control).first()).toBeVisible();
  page.off('request', keep);
  const weighed = await Promise.all(asked.filter((it) => !isLater(it.url())).map(async (request) => ({ request, bytes: await sizeOf(request) })));
  // The browser tells of a request once its answer is there, as all of these are by now.
  const before = await page.evaluate((selector) => {
    const usableAt = window.usableAt?.[selector] ?? Infinity;
    return performance.getEntriesByType('resource').filter((it) => it.startTime <= usableAt).map((it) => it.name);
  }, control);
  const counted = weighed.filter(({ request }) => request.isNavigationRequest() || before.includes(request.url()));
  await session.detach();
  const list = counted.map(({ request, bytes }) => `${bytes} ${new URL(request.url()).pathname}`);
  return { requests: counted.length, bytes: counted.reduce((sum, it) => sum + it.bytes, 0), list };
}

/** What begins once the form is there: the calendar, the editor of long texts, and what waits for a calm moment. */
function isLater(url: string): boolean {
  return /\/(events|(codemirror|code|markdown|MarkdownField|CodeView|dates2?|overlays2?|login|PaletteDialog)\.\w+)$/.test(new URL(url).pathname);
}

async function sizeOf(request: Request): Promise<number> {
  const response = await request.response();
  const body = (await response?.body().catch(() => undefined)) ?? Buffer.alloc(0);
  const isCompressed = /script|css|html|json|svg/.test(response?.headers()['content-type'] ?? '');
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return isCompressed ? brotliCompressSync(body, { params: quality }).length : body.length;
}

const HEADING = 'h1';
const TITLE = '#field-title:enabled:read-write';

test('the first screens are light', async ({ page }) => {
  const dashboard = await weigh(page, '/admin/w/default', HEADING);
  const entry = await weigh(page, '/admin/w/default/content/posts/01k8dgcxw03f14ch', TITLE);
  console.log(`dashboard: ${dashboard.bytes} bytes, ${dashboard.requests} requests; entry: ${entry.bytes} bytes, ${entry.requests} requests`);
  expect(dashboard.bytes, dashboard.list.join('\n')).toBeLessThanOrEqual(220_000);
  expect(entry.bytes, entry.list.join('\n')).toBeLessThanOrEqual(300_000);
  expect(entry.requests, entry.list.join('\n')).toBeLessThanOrEqual(25);
});
