import { readFileSync } from 'node:fs';
import { type Admin, checkA11y, expect, test } from './harness';

const token = async (admin: Admin, permissions: unknown[]) =>
  (await admin.api<{ token: string }>('POST', 'tokens', { name: 'test', permissions })).token;

test('a list is built, asked for and taken along', async ({ page }) => {
  await page.goto('/admin/w/default/api');
  await page.getByRole('navigation', { name: 'Content type or media' }).getByRole('link', { name: 'Posts' }).click();
  await page.getByLabel('limit').fill('2');
  await page.getByLabel('sort').fill('title');
  await page.getByRole('button', { name: 'Add filter' }).click();
  const filter = page.getByRole('group', { name: 'Filter 1' });
  await filter.getByLabel('Field').click();
  await page.getByRole('option', { name: 'tags · Tags' }).click();
  await filter.getByLabel('Value').fill('route');
  await expect(page.getByText(/content\/posts\?limit=2&sort=title&filter\[tags\]=route$/)).toBeVisible();

  const asked = page.waitForRequest(/\/api\/v1\/workspaces\/default\/content\/posts/);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  // As a stranger: nothing of the session goes along.
  expect((await (await asked).allHeaders()).cookie).toBeUndefined();
  await expect(page.getByText('200', { exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Response' })).toContainText('"title"');
  for (const [name, text] of [['@recto/client', 'filter: { tags: "route" }'], ['TypeScript', 'Entry<"posts">[]'], ['Rust', 'reqwest::Client'], ['PHP', 'stream_context_create'], ['Astro', 'defineCollection']] as const) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.getByRole('region', { name, exact: true })).toContainText(text);
  }
});

test('a link from a list brings its query', async ({ page }) => {
  await page.goto(`/admin/w/default/api?type=posts&query=${encodeURIComponent('q=pots&filter[status]=published&limit=5')}`);
  await expect(page.getByLabel('q', { exact: true })).toHaveValue('pots');
  await expect(page.getByRole('group', { name: 'Filter 1' }).getByLabel('Value')).toHaveValue('published');
  await page.getByText('Get one').click();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await page.goto('/admin/w/default/api?type=nothing');
  await expect(page.getByText('This workspace has no content type “nothing”.')).toBeVisible();
});

test.describe('with and without a token', () => {
  test.use({ expectedComplaints: [/status of 40[134]/] });

  test('what changes something needs one that grants it', async ({ page, admin }) => {
    await page.goto('/admin/w/default/api?type=topics&op=create');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await expect(send).toBeDisabled();
    await expect(page.getByText('Requests that change content need a token.')).toBeVisible();
    const field = page.getByLabel('Token for this page');
    await field.fill('recto_unknown');
    await send.click();
    await expect(page.getByText('401', { exact: true })).toBeVisible();
    await field.fill(await token(admin, [{ effect: 'allow', actions: ['content.create', 'content.read'], resources: ['content:topics:*'] }]));
    await send.click();
    await expect(page.getByText('201', { exact: true })).toBeVisible();
    const found = await admin.api<{ title: string }[]>('GET', 'content/topics?filter[title]=A title');
    expect(found).toHaveLength(1);
    // It is gone with the page.
    await page.reload();
    await expect(field).toHaveValue('');
  });

  test('a private type is not there for the public', async ({ page, admin }) => {
    await admin.api('PUT', 'content-types/topics', { visibility: 'private' });
    await page.goto('/admin/w/default/api?type=topics&query=limit%3D1');
    await expect(page.getByText(/This type is private/)).toBeVisible();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('404', { exact: true })).toBeVisible();
    await page.getByLabel('Token for this page').fill(await token(admin, [{ effect: 'allow', actions: ['content.read'], resources: ['content:*'] }]));
    await page.keyboard.press('Control+s');
    await expect(page.getByText('200', { exact: true })).toBeVisible();
  });
});

test('pictures, media items and a copy of everything are asked for', async ({ page, admin, server }) => {
  await admin.api('PUT', 'settings', { images: { presets: { card: { w: 300, h: 200 } } } });
  const media = await admin.api<{ filename: string; visibility: string; mime: string }[]>('GET', 'media?type=image');
  const file = media.find((it) => it.visibility === 'public' && it.mime === 'image/jpeg')?.filename ?? '';
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await page.goto(`/admin/w/default/api?type=~media&op=picture&id=${file}`);
  await page.getByRole('combobox', { name: 'w', exact: true }).fill('320');
  await expect(page.getByText(new RegExp(`/media/default/${file}\\?w=320$`))).toBeVisible();
  await page.keyboard.press('Escape');
  await send.click();
  const picture = page.getByRole('img', { name: 'Response' });
  await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(320);
  // A size with a name stands instead of the others.
  await page.getByRole('combobox', { name: 'preset' }).click();
  await page.getByRole('option', { name: 'card' }).click();
  await expect(page.getByText(new RegExp(`/media/default/${file}\\?preset=card$`))).toBeVisible();
  await page.getByRole('tab', { name: 'HTML' }).click();
  await expect(page.getByRole('region', { name: 'HTML' })).toContainText('?preset=card"');
  await checkA11y(page);

  await page.goto('/admin/w/default/api?type=posts&query=limit%3D1%26fields%3Dhero%26filter[hero][empty]%3Dfalse');
  await page.getByLabel('media=full').check();
  await send.click();
  await expect(page.getByRole('textbox', { name: 'Response' })).toContainText('"filename"');

  await page.goto('/admin/w/default/api');
  await page.getByRole('main').getByRole('link', { name: 'All content' }).last().click();
  await expect(page.getByText('Everything a reader can see, in one request', { exact: false })).toBeVisible();
  await page.getByRole('combobox', { name: 'types' }).click();
  await page.getByRole('option', { name: 'topics' }).click();
  await page.keyboard.press('Escape');
  await send.click();
  const answer = page.getByRole('textbox', { name: 'Response' });
  await expect(answer).toContainText('"kind":"entry"');
  // The view shows the lines that are in sight; the last one has the cursor.
  const bundle = await (await fetch(`${server.url}/api/v1/workspaces/default/bundle?types=topics`)).text();
  const cursor = /"cursor":"(\w+)"/.exec(bundle)?.[1] ?? '';
  await page.goto('/admin/w/default/api?type=~sync&query=types%3Dtopics');
  await expect(send).toBeDisabled();
  await page.getByLabel('since').fill(cursor);
  await send.click();
  await expect(answer).toContainText(cursor);
  await checkA11y(page);
});

test('feeds and the sitemap have their lines for a page', async ({ page, admin }) => {
  await page.goto('/admin/w/default/api?type=~feeds');
  await expect(page.getByText('No content type has a feed yet.', { exact: false })).toBeVisible();
  await admin.api('PUT', 'content-types/posts', { feed: { url: 'https://example.org/{slug}' } });
  await page.reload();
  await page.getByRole('combobox', { name: 'Content type' }).click();
  await page.getByRole('option', { name: 'posts' }).click();
  await expect(page.getByText(/\/feeds\/posts\/atom\.xml$/)).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Response' })).toContainText('http://www.w3.org/2005/Atom');
  await page.getByRole('tab', { name: 'HTML' }).click();
  await expect(page.getByRole('region', { name: 'HTML' })).toContainText('rel="alternate" type="application/atom+xml"');
  await page.goto('/admin/w/default/api?type=~sitemap');
  await page.getByRole('tab', { name: 'robots.txt' }).click();
  await expect(page.getByRole('region', { name: 'robots.txt' })).toContainText('/sitemap.xml');
});

test('a view of a type is asked for by its name', async ({ page, admin }) => {
  await admin.api('PUT', 'content-types/topics', { views: { latest: { sort: 'title', limit: 2 } } });
  await page.goto('/admin/w/default/api?type=topics');
  await page.getByText('View', { exact: true }).click();
  await page.getByRole('combobox', { name: 'View name' }).click();
  await page.getByRole('option', { name: 'latest' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('200', { exact: true })).toBeVisible();
  await expect(page.getByText(/\/views\/topics\/latest$/)).toBeVisible();
});

test.describe('where streams are open to everybody', () => {
  test.use({ serve: ['--live-max-anonymous-streams', '3'] });

  test('changes arrive as they happen, until one has seen enough', async ({ page, admin }) => {
    await page.goto('/admin/w/default/api?type=~events');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('textbox', { name: 'Response' });
    await expect(answer).toContainText('ready');
    // More than there is room for: the newest is in sight.
    for (let n = 1; n <= 5; n++) {
      await admin.api('POST', 'content/topics', { title: `Weather ${n}`, description: 'rain '.repeat(400), status: 'published' });
      await expect(answer).toContainText(`"title":"Weather ${n}"`);
    }
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
    await expect(answer).toContainText('"title":"Weather 5"');
    await page.getByRole('tab', { name: 'JavaScript' }).click();
    await expect(page.getByRole('region', { name: 'JavaScript' })).toContainText('new EventSource(');
  });
});

test('the description and the collection are downloaded', async ({ page }) => {
  await page.goto('/admin/w/default/api');
  const openapi = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download openapi.json' }).click();
  expect(JSON.parse(readFileSync(await (await openapi).path(), 'utf8')).openapi).toMatch(/^3\.1/);
  const typings = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download types.ts' }).click();
  expect((await typings).suggestedFilename()).toBe('recto-types.ts');
  expect(readFileSync(await (await typings).path(), 'utf8')).toContain('export interface ContentTypes');
  const collection = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download collection' }).click();
  const { item } = JSON.parse(readFileSync(await (await collection).path(), 'utf8'));
  expect(item.map((it: { name: string }) => it.name)).toContain('Posts');
});

test('a single entry goes by keyboard', async ({ page }) => {
  await page.goto('/admin/w/default/api?type=posts&op=get');
  await page.getByRole('combobox', { name: 'ID or slug' }).focus();
  await page.keyboard.type('twelve-stiles');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('textbox', { name: 'Response' })).toContainText('"slug": "twelve-stiles"');
});

test('everybody can use it', async ({ page }) => {
  await page.goto('/admin/w/default/api');
  await expect(page.getByRole('heading', { name: 'URL' })).toBeVisible();
  await checkA11y(page);
  await page.goto('/admin/w/default/api?type=posts&query=limit%3D1%26filter[status]%3Dpublished');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Response' })).toContainText('"title"');
  await checkA11y(page);
  await page.goto('/admin/w/default/api?type=posts&op=create');
  await expect(page.getByRole('textbox', { name: 'Request body' })).toContainText('"title"');
  await checkA11y(page);
});
