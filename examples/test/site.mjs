// Looks at a built site in a browser, as readers, editors and machines do.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

// The browser tests of the interface have what is needed.
const require = createRequire(new URL('../../admin/package.json', import.meta.url));
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const { chromium } = require('@playwright/test');

const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.txt': 'text/plain' };

/** Serves a folder as hosts of static sites do. */
export async function serveFolder(folder) {
  const read = (path) => {
    try {
      return readFileSync(join(folder, path));
    } catch {
      return null;
    }
  };
  const http = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://site').pathname).replace(/\/$/, '/index.html');
    const found = read(path);
    response.writeHead(found ? 200 : 404, { 'content-type': found ? types[extname(path)] ?? 'application/octet-stream' : types['.html'] });
    response.end(found ?? read('404.html'));
  });
  await new Promise((listening) => http.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

/** Opens pages, notes what they complain about, and holds their pictures back until the text is there. */
async function openBrowserPage(browser, baseURL) {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (it) => ['error', 'warning'].includes(it.type()) && complaints.push(it.text()));
  page.on('response', (it) => it.status() >= 400 && complaints.push(`${it.status()} ${it.url()}`));
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const it of list.getEntries()) window.shifts.push(it.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  let release = () => {};
  await page.route(/\/media\//, async (route) => {
    await page.painted;
    await route.continue();
  });
  page.go = async (path) => {
    page.painted = new Promise((painted) => (release = painted));
    const answer = await page.goto(path, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.readyState !== 'loading');
    await nextFrames(page);
    release();
    await page.waitForLoadState('load');
    return answer;
  };
  page.takeComplaints = () => complaints.splice(0);
  return page;
}

const nextFrames = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

/** Shows all pictures, and checks how they are written and that nothing moved. */
async function checkPictures(page, path) {
  const pictures = await page.evaluate(async () => {
    for (const it of document.images) {
      it.scrollIntoView();
      await (it.complete || new Promise((done) => it.addEventListener('load', done, { once: true })));
    }
    return [...document.images].map((it) => ({
      shown: it.naturalWidth > 0,
      whole: ['width', 'height', 'srcset', 'alt'].every((name) => it.hasAttribute(name)),
      placeholder: it.style.backgroundColor !== '',
    }));
  });
  await nextFrames(page);
  assert.deepEqual(await page.evaluate(() => window.shifts), [], `nothing moves on ${path}`);
  for (const it of pictures) assert.deepEqual(it, { shown: true, whole: true, placeholder: true }, `a picture of ${path}`);
  return pictures.length;
}

async function checkAccessibility(page, path) {
  await page.evaluate(axe);
  for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [360, 'light']]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await nextFrames(page);
    const found = await page.evaluate(async () => (await window.axe.run()).violations.flatMap((rule) => rule.nodes.map((it) => `${rule.id}: ${it.html}`)));
    assert.deepEqual(found, [], `accessibility of ${path}, ${width} px, ${colorScheme}`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(excess <= 0, `${path} is ${excess} px too wide at ${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Follows all links within the site, from its root. Returns the paths of its pages. */
async function crawl(page, cms) {
  const found = new Set(['/en/']);
  const machines = new Set();
  let pictures = 0;
  for (const path of found) {
    const answer = await page.go(path);
    assert.equal(answer.status(), 200, path);
    assert.deepEqual(page.takeComplaints(), [], `what ${path} complains about`);
    pictures += await checkPictures(page, path);
    const links = await page.evaluate(() => [...document.querySelectorAll('a[href], link[rel=alternate], link[rel=sitemap]')].map((it) => [it.rel, it.href]));
    for (const [, href] of links) {
      const { origin, pathname } = new URL(href);
      if (origin === new URL(page.url()).origin) found.add(pathname);
      else if (href.startsWith(cms.url)) machines.add(href);
    }
    for (const rel of ['alternate', 'sitemap']) {
      assert.ok(links.some(([of, href]) => of === rel && href.startsWith(cms.url)), `${path} links the ${rel}`);
    }
  }
  assert.ok(pictures > 10, `there are only ${pictures} pictures`);
  return { found, machines };
}

/** Looks at the feeds, at robots.txt, and at the pages that the sitemap names. */
async function checkMachines(site, { found, machines }) {
  for (const href of machines) {
    const answer = await fetch(href);
    assert.equal(answer.status, 200, href);
    assert.match(await answer.text(), /^<\?xml/, href);
  }
  const robots = await (await fetch(`${site.url}/robots.txt`)).text();
  const sitemap = await (await fetch(robots.match(/^Sitemap: (.*)$/m)[1])).text();
  const named = [...sitemap.matchAll(/<loc>([^<]*)/g)].map((it) => new URL(it[1]).pathname);
  const written = [...found].filter((it) => it.includes('/posts/'));
  assert.deepEqual(named.sort(), written.sort(), 'the sitemap names the pages of posts');
}

/** The switch leads to the same post in the other language, and back. */
async function switchLanguage(page) {
  await page.go('/en/posts/the-long-way-to-the-bakery/');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.waitForURL('/de/posts/the-long-way-to-the-bakery/');
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Der lange Weg zum Bäcker');
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  assert.equal(await page.locator('time').innerText(), '9. März 2025');
  await page.getByRole('link', { name: 'English' }).click();
  await page.waitForURL('/en/posts/the-long-way-to-the-bakery/');
  // A post that is not translated.
  await page.go('/en/posts/mending-a-jumper/');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.waitForURL('/de/');
}

async function checkDraft(page, folder, draft) {
  await page.go(`/preview/?recto=${draft.token}&locale=en#${draft.id}`);
  await page.getByRole('heading', { level: 1, name: draft.title }).waitFor();
  await page.locator('.text strong', { hasText: 'Day one.' }).waitFor();
  await page.getByText('This is a preview.').waitFor();
  assert.deepEqual(page.takeComplaints(), [], 'what the preview complains about');
  await checkAccessibility(page, 'the preview');
  await page.goto('about:blank');
  const refused = page.waitForResponse((it) => it.url().includes('preview=wrong'));
  await page.go(`/preview/?recto=wrong#${draft.id}`);
  assert.equal((await refused).status(), 401);
  await page.locator('main', { hasText: 'link' }).waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /Rye/, 'a wrong token shows nothing');
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    for (const hidden of [draft.title, 'Rye, water, patience', 'Day one.', draft.id]) {
      assert.ok(!text.includes(hidden), `${file.name} shows a draft`);
    }
  }
}

/** Looks at everything that a starter has to show. */
export async function checkSite(browser, { name, folder }, cms, draft) {
  const site = await serveFolder(folder);
  const page = await openBrowserPage(browser, site.url);
  try {
    await page.goto('/');
    await page.waitForURL('/en/');
    page.takeComplaints();
    const pages = await crawl(page, cms);
    await checkMachines(site, pages);
    await switchLanguage(page);
    assert.equal((await page.go('/nothing/')).status(), 404);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await checkAccessibility(page, 'the page of what is not there');
    for (const path of ['/en/', '/de/', '/en/posts/the-long-way-to-the-bakery/', '/en/posts/mending-a-jumper/']) {
      await page.go(path);
      await checkAccessibility(page, path);
      if (process.env.SCREENSHOTS) await takePictures(page, name + path.replaceAll('/', '_'));
    }
    page.takeComplaints();
    await checkDraft(page, folder, draft);
    return pages.found.size;
  } finally {
    await page.context().close();
    site.close();
  }
}

/** For people who change the looks: SCREENSHOTS names a folder. */
async function takePictures(page, name) {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}${width}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
