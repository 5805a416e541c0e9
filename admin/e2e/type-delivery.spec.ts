import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, test } from './harness';

test.use({ sample: false });

/** A type with an entry, as a blog has it. */
async function prepare(admin: Admin, more: object = {}): Promise<void> {
  await admin.api('POST', 'content-types', {
    name: 'posts',
    label: 'Posts',
    fields: {
      title: { type: 'text', label: 'Title', required: true },
      excerpt: { type: 'textarea', label: 'Excerpt' },
      body: { type: 'markdown', label: 'Text' },
      day: { type: 'date', label: 'Day' },
    },
    ...more,
  });
  await admin.api('POST', 'content/posts', { title: 'Nine pots', excerpt: 'Facing west.', day: '2026-05-03', status: 'published' });
}

interface TypeAnswer {
  cache?: object;
  feed?: object | null;
}

const typeOf = (admin: Admin) => admin.api<TypeAnswer>('GET', 'content-types/posts');
const settingsOf = 'w/default/types/posts?tab=settings';
const feeds = (page: Page) => page.getByRole('region', { name: 'Feeds and sitemap' });
const times = (page: Page) => page.getByRole('region', { name: 'Caching' });

test('feeds are switched on, shown as links, and read', async ({ page, admin, server }) => {
  await prepare(admin);
  await page.goto(`/admin/${settingsOf}`);
  const panel = feeds(page);
  await panel.getByRole('switch').press('Space');
  // The fields that fit are chosen, and an entry shows what the address becomes.
  await expect(panel.getByRole('combobox', { name: 'Summary' })).toHaveValue('Excerpt');
  await expect(panel.getByText('They work as soon as you save.')).toBeVisible();
  const address = panel.getByLabel('Page URL on your site');
  await address.fill('https://example.org/news/');
  await expect(panel.getByText('Without {slug} or {id}')).toBeVisible();
  await address.fill('https://example.org/news/{slug}');
  await expect(panel.getByText('Without {slug} or {id}')).toHaveCount(0);
  await expect(panel.getByRole('link', { name: 'https://example.org/news/nine-pots' })).toBeVisible();
  await panel.getByRole('combobox', { name: 'Date' }).click();
  await page.getByRole('option', { name: 'Day', exact: true }).click();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('“Posts” saved')).toBeVisible();
  expect((await typeOf(admin)).feed).toEqual({ url: 'https://example.org/news/{slug}', summary: 'excerpt', content: 'body', date: 'day' });
  const link = panel.getByRole('link', { name: /\/feeds\/posts\/atom\.xml$/ });
  const feed = await (await fetch(server.url + new URL((await link.getAttribute('href')) ?? '').pathname)).text();
  expect(feed).toContain('https://example.org/news/nine-pots');
  await checkA11y(page);

  await panel.getByRole('switch').press('Space');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await typeOf(admin)).feed ?? null).toBeNull();
});

test('what is wrong with a feed stands at its input', async ({ page, admin }) => {
  await prepare(admin, { feed: { url: 'https://example.org/{slug}', summary: 'excerpt' } });
  await page.goto(`/admin/${settingsOf}`);
  const address = feeds(page).getByLabel('Page URL on your site');
  await expect(address).toHaveValue('https://example.org/{slug}');
  await address.fill('/news/{slug}');
  await page.keyboard.press('Control+s');
  await expect(address).toHaveAccessibleDescription(/This must begin with `https:\/\/` or `http:\/\/`/);
  // A field that gets another name keeps its place in the feed.
  await address.fill('https://example.org/{slug}');
  await page.getByRole('tab', { name: /^Fields/ }).click();
  await page.getByRole('list', { name: 'Fields' }).getByRole('button', { name: /^Excerpt/ }).click();
  await page.getByRole('dialog').getByLabel('Key').fill('lead');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Save type' }).click();
  await expect.poll(async () => (await typeOf(admin)).feed).toEqual({ url: 'https://example.org/{slug}', summary: 'lead' });
});

test('times are entered in the unit that fits, and the header follows', async ({ page, admin, server }) => {
  await prepare(admin);
  await page.goto(`/admin/${settingsOf}`);
  const panel = times(page);
  await expect(panel.getByText('Cache-Control: public, max-age=0, must-revalidate')).toBeVisible();
  const shared = panel.getByRole('textbox', { name: 'CDNs and proxies' });
  await panel.getByLabel('Unit: CDNs and proxies').selectOption('hours');
  await shared.pressSequentially('1.5');
  await expect(shared).toHaveValue('1.5');
  await panel.getByRole('textbox', { name: 'Serve stale responses' }).fill('60');
  const header = 'public, max-age=0, s-maxage=5400, stale-while-revalidate=60';
  await expect(panel.getByText(`Cache-Control: ${header}`)).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('“Posts” saved')).toBeVisible();
  const answer = await fetch(`${server.url}/api/v1/workspaces/default/content/posts`);
  expect(answer.headers.get('cache-control')).toBe(header);
  await page.reload();
  await expect(shared).toHaveValue('90');
  await expect(panel.getByLabel('Unit: CDNs and proxies')).toHaveValue('minutes');
  // Too long a time is refused where it stands.
  await panel.getByLabel('Unit: CDNs and proxies').selectOption('days');
  await shared.fill('400');
  await page.keyboard.press('Control+s');
  await expect(shared).toHaveAccessibleDescription(/31536000/);
  await shared.fill('');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await typeOf(admin)).cache).toEqual({ stale_while_revalidate: 60 });
});

test('a private type says that nothing is kept', async ({ page, admin }) => {
  await prepare(admin, { visibility: 'private', feed: { url: 'https://example.org/{slug}' } });
  await page.goto(`/admin/${settingsOf}`);
  await expect(times(page).getByText('The type is private')).toBeVisible();
  await expect(feeds(page).getByText('its entries aren’t in any feed')).toBeVisible();
  await expect(feeds(page).getByRole('link', { name: /atom/ })).toHaveCount(0);
});

test('named lists are put together from words, and read at their own URL', async ({ page, admin, server }) => {
  await prepare(admin, { views: { kept: { sort: 'title', filter: { day: { gte: '2026-01-01' } } } } });
  await page.goto(`/admin/${settingsOf}`);
  const panel = page.getByRole('region', { name: 'Named lists' });
  await expect(panel.getByRole('combobox', { name: 'Comparison of condition 1' })).toHaveValue('is on or after');
  await panel.getByRole('button', { name: 'Add list' }).click();
  const name = panel.getByLabel('Name').nth(1);
  await expect(name).toBeFocused();
  await name.fill('Best of');
  await expect(name).toHaveAccessibleDescription(/Use only small letters/);
  await name.fill('best');
  const list = panel.getByRole('group', { name: 'List “best”' });
  await list.getByRole('button', { name: 'Add condition' }).click();
  await list.getByLabel('Value of condition 1').fill('Nine pots');
  await list.getByRole('spinbutton', { name: 'Number of entries' }).or(list.getByLabel('Number of entries')).first().fill('5');
  await checkA11y(page);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('“Posts” saved')).toBeVisible();
  expect((await admin.api<{ views: object }>('GET', 'content-types/posts')).views).toEqual({
    kept: { sort: 'title', filter: { day: { gte: '2026-01-01' } } },
    best: { sort: '-published_at', limit: 5, filter: { title: 'Nine pots' } },
  });
  const answer = await fetch(`${server.url}/api/v1/workspaces/default/views/posts/best`);
  expect(await answer.text()).toContain('Nine pots');

  // What the server refuses stands at its input.
  await list.getByRole('combobox', { name: 'Field of condition 1' }).click();
  await page.getByRole('option', { name: 'Day', exact: true }).click();
  await page.keyboard.press('Control+s');
  await expect(list.getByRole('combobox', { name: 'Field of condition 1' })).toHaveAttribute('aria-invalid', 'true');
});
