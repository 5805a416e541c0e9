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

/** Scripts, styles and answers that were asked for until a screen could be used, compressed as a release sends them. */
async function weigh(page: Page, address: string, usable: () => Promise<void>): Promise<Weight & { list: string[] }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  const asked: Request[] = [];
  const keep = (request: Request) => void asked.push(request);
  page.on('request', keep);
  await page.goto(address);
  await usable();
  page.off('request', keep);
  const counted = asked.filter((it) => !isLater(it.url()));
  const sizes = await Promise.all(counted.map(sizeOf));
  await session.detach();
  const list = counted.map((it, index) => `${sizes[index]} ${new URL(it.url()).pathname}`);
  return { requests: counted.length, bytes: sizes.reduce((sum, it) => sum + it, 0), list };
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

const entryOf = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true }).first();

test('the first screens are light', async ({ page }) => {
  const dashboard = await weigh(page, '/admin/w/default', () => expect(page.getByRole('heading', { level: 1 })).toBeVisible());
  const entry = await weigh(page, '/admin/w/default/content/posts/01k8dgcxw03f14ch', () => expect(entryOf(page)).toBeEditable());
  console.log(`dashboard: ${dashboard.bytes} bytes, ${dashboard.requests} requests; entry: ${entry.bytes} bytes, ${entry.requests} requests`);
  expect(dashboard.bytes, dashboard.list.join('\n')).toBeLessThanOrEqual(220_000);
  expect(entry.bytes, entry.list.join('\n')).toBeLessThanOrEqual(300_000);
  expect(entry.requests, entry.list.join('\n')).toBeLessThanOrEqual(25);
});
