/** The preview of an entry in a site of one's own: the blog of the examples, on another origin. */
import type { Page } from '@playwright/test';
import { Admin, checkA11y, expect } from './harness';
import { postsOf, type Site, test } from './site';

test.use({ sample: false });

/** The blog with one post, which `paul` may change and not publish. */
async function given(admin: Admin, site: Site, page = 'consumer.html'): Promise<string> {
  await admin.api('POST', 'content-types', postsOf(site, page));
  await admin.person('paul', [
    { effect: 'allow', actions: ['content.read', 'content.create', 'content.update'], resources: ['content:posts:*'] },
    { effect: 'allow', actions: ['schema.read'], resources: ['schema:*'] },
  ]);
  const post = { title: 'Radishes', body: 'They are up.', status: 'published' };
  return (await admin.api<{ id: string }>('POST', 'content/posts', post)).id;
}

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/posts/${id}`);
  await expect(title(page)).toBeVisible();
}

const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
const button = (page: Page) => page.getByRole('button', { name: 'Preview', exact: true });
const framed = (page: Page) => page.frameLocator('iframe[title="Preview: Blog"]');

/** Waits, in a window, until it has heard a message, which it sends itself if there is one. */
function hears(_: Element, message: unknown): Promise<void> {
  return new Promise((heard) => {
    addEventListener('message', () => setTimeout(heard), { once: true });
    if (message) window.postMessage(message, '*');
  });
}

async function publicTitle(url: string, id: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/workspaces/default/content/posts/${id}`);
  return ((await response.json()) as { data: { title: string } }).data.title;
}

test('an author sees a proposal on the site, and what is typed, and clicks into it', async ({ page, admin, server, site, become }) => {
  const id = await given(admin, site);
  const paul = await new Admin(server.url, 'paul').logIn();
  await paul.api('PUT', `content/posts/${id}?change=pending`, { title: 'Radishes, proposed' });
  await become('paul');
  await open(page, id);
  await button(page).click();
  const heading = framed(page).getByRole('heading', { level: 2 });
  await expect(heading).toHaveText('Radishes, proposed');
  await expect(page.getByText('Updates as you type.')).toBeVisible();

  await title(page).fill('Radishes, as they are typed');
  await expect(heading).toHaveText('Radishes, as they are typed');
  await page.getByRole('textbox', { name: 'Text', exact: true }).focus();
  await heading.click();
  await expect(title(page)).toBeFocused();

  await title(page).fill('');
  await expect(page.getByText('the page still shows the last valid state')).toBeVisible();
  await expect(heading).toHaveText('Radishes, as they are typed');
  await title(page).fill('Radishes again');
  await expect(heading).toHaveText('Radishes again');
  await checkA11y(page);
  expect(await publicTitle(server.url, id)).toBe('Radishes');

  // Others read it with the link until it is taken back.
  const link = await page.getByRole('link', { name: 'Open in new window' }).getAttribute('href');
  const token = new URL(link ?? '').searchParams.get('recto') ?? '';
  const read = () => fetch(`${server.url}/api/v1/workspaces/default/content/posts/${id}?preview=${token}`);
  expect((await read()).status).toBe(200);
  const { previews } = await paul.api<{ previews: { id: string }[] }>('GET', 'changes/pending');
  await paul.api('DELETE', `changes/pending/previews/${previews[0]?.id}`);
  expect((await read()).status).toBe(401);
});

test('an entry of a change is shown as the change has it, not as the own draft', async ({ page, admin, server, site }) => {
  const id = await given(admin, site);
  await admin.api('PUT', `content/posts/${id}?change=pending`, { title: 'Radishes, my draft' });
  const { id: change } = await admin.api<{ id: string }>('POST', 'changes', { label: 'Summer' });
  await admin.api('PUT', `content/posts/${id}?change=${change}`, { title: 'Radishes in summer' });
  await page.goto(`/admin/w/default/content/posts/${id}?change=${change}`);
  await expect(title(page)).toHaveValue('Radishes in summer');
  await button(page).click();
  const heading = framed(page).getByRole('heading', { level: 2 });
  await expect(heading).toHaveText('Radishes in summer');
  await expect(page.getByText('Updates as you type.')).toBeVisible();
  await title(page).fill('Radishes in July');
  await expect(heading).toHaveText('Radishes in July');
  const link = (await page.getByRole('link', { name: 'Open in new window' }).getAttribute('href')) ?? '';
  const token = new URL(link).searchParams.get('recto') ?? '';
  const read = await fetch(`${server.url}/api/v1/workspaces/default/content/posts/${id}?preview=${token}`);
  expect(await read.json()).toMatchObject({ data: { title: 'Radishes in summer' } });
  // The other version has a link of its own.
  await page.getByRole('radiogroup', { name: 'Version' }).getByText('Your draft').click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(heading).toHaveText('Radishes, my draft');
  const { previews } = await admin.api<{ previews: { entry: string }[] }>('GET', `changes/${change}`);
  expect(previews.map((it) => it.entry)).toEqual([`posts/${id}`]);
});

test('the keyboard opens it and comes back, and it stays in the address', async ({ page, admin, site }) => {
  const id = await given(admin, site);
  await open(page, id);
  await button(page).press('Enter');
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane).toBeInViewport({ ratio: 0.9 });
  // Beside the fields, not below them.
  const [left, right] = [await title(page).boundingBox(), await pane.boundingBox()];
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
  await page.reload();
  await expect(framed(page).getByRole('heading', { level: 2 })).toHaveText('Radishes');
  await page.getByRole('button', { name: 'Close preview' }).press('Enter');
  await expect(button(page)).toBeFocused();
  await expect(page.getByRole('region', { name: 'Preview' })).toBeHidden();
});

test('on a narrow screen it takes the place of the form', async ({ page, admin, site }) => {
  const id = await given(admin, site);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, id);
  await button(page).click();
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  await expect(framed(page).getByRole('heading', { level: 2 })).toHaveText('Radishes');
  await expect(page.getByText('Updates as you type.')).toBeVisible();
  await checkA11y(page);
  await framed(page).getByRole('heading', { level: 2 }).click();
  await expect(dialog).toBeHidden();
  await expect(title(page)).toBeFocused();
  await button(page).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button(page)).toBeFocused();
});

test('a site gets what is typed in the shape that it asks for', async ({ page, admin, server, site }) => {
  site.pages['/shaped.html'] = `<!doctype html><html lang="en"><title>Shaped</title><main></main><script type="module">
      import { live } from '${server.url}/api/v1/preview.js';
      live(({ data_html }) => (document.querySelector('main').innerHTML = data_html.body), 'fields=body&media=full&render=html');
    </script>`;
  const id = await given(admin, site, 'shaped.html');
  await open(page, id);
  await button(page).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('They are *hot*.');
  await expect(framed(page).locator('em')).toHaveText('hot');
});

test('a site without a callback is loaded anew when the entry is saved', async ({ page, admin, server, site }) => {
  site.pages['/plain.html'] = `<!doctype html><html lang="en"><title>Plain</title><h2 data-recto="posts/radishes#title">Plain</h2>
    <p id="count"></p><script>
      sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;
      document.querySelector('#count').textContent = 'Loaded ' + sessionStorage.loads;
    </script><script type="module" src="${server.url}/api/v1/preview.js"></script>`;
  const id = await given(admin, site, 'plain.html');
  await open(page, id);
  await button(page).click();
  await expect(page.getByText('reloads when you save')).toBeVisible();
  await expect(framed(page).getByText('Loaded 1')).toBeVisible();
  await title(page).fill('Radishes!');
  await page.keyboard.press('Control+s');
  await expect(framed(page).getByText('Loaded 2')).toBeVisible();
  await framed(page).getByRole('heading').click();
  await expect(title(page)).toBeFocused();
});

test.describe('in the wrong hands', () => {
  // Messages to the interface that nobody else gets.
  test.use({ expectedComplaints: [/target origin provided .* does not match/] });

  test('neither side listens to anybody else', async ({ page, admin, site }) => {
    const id = await given(admin, site);
    await open(page, id);
    await button(page).click();
    const heading = framed(page).getByRole('heading', { level: 2 });
    await expect(page.getByText('Updates as you type.')).toBeVisible();
    await button(page).focus();
    // The page itself, and the frame while nobody is in it.
    await page.evaluate(() => {
      addEventListener('message', () => document.body.setAttribute('data-heard', `${document.body.dataset.heard ?? ''}I`));
    });
    await page.evaluate((edit) => window.postMessage({ recto: 1, edit }, '*'), `posts/${id}#title`);
    await heading.evaluate((_, edit) => parent.postMessage({ recto: 1, edit }, '*'), `posts/${id}#title`);
    await expect(page.locator('body')).toHaveAttribute('data-heard', 'II');
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await expect(button(page)).toBeFocused();
    await heading.evaluate(hears, { recto: 1, entry: { id: 'x', slug: 'x', title: 'Mine', data: {} } });
    await expect(heading).toHaveText('Radishes');
    const link = (await page.getByRole('link', { name: 'Open in new window' }).getAttribute('href')) ?? '';

    // A foreign page around the site, with a link that it got hold of: it hears nothing and says nothing.
    site.pages['/foreign.html'] = `<!doctype html><html lang="en"><title>Foreign</title><p id="heard">Nothing</p><iframe title="Site"></iframe><script>
      addEventListener('message', (event) => { document.querySelector('#heard').textContent = JSON.stringify(event.data); });
      const frame = document.querySelector('iframe');
      frame.src = ${JSON.stringify(link)};
      setInterval(() => frame.contentWindow.postMessage({ recto: 1, entry: { id: 'x', slug: 'x', title: 'Foreign', data: {} } }, '*'), 20);
    </script>`;
    await page.goto(`${site.url}/foreign.html`);
    const inside = page.frameLocator('iframe').getByRole('heading', { level: 2 });
    await expect(inside).toHaveText('Radishes');
    await inside.evaluate(hears, undefined);
    await inside.click();
    await inside.evaluate(hears, undefined);
    await expect(inside).toHaveText('Radishes');
    await expect(page.locator('#heard')).toHaveText('Nothing');
  });
});

test.describe('a site that was added later', () => {
  test.use({ expectedComplaints: [/frame-src|violates the following Content Security Policy|Framing/] });

  test('is not shown before the page is loaded anew', async ({ page, admin, site }) => {
    const id = await given(admin, site);
    await admin.api('PUT', 'content-types/posts', { preview: [] });
    await open(page, id);
    await expect(button(page)).toBeHidden();
    const preview = [
      { label: 'Blog', url: `${site.url}/consumer.html?recto={token}#{slug}` },
      { label: 'Staging', url: 'http://127.0.0.1:9/{slug}' },
    ];
    await admin.api('PUT', 'content-types/posts', { preview });
    await button(page).click();
    await page.getByRole('menuitem', { name: 'Blog' }).click();
    await page.getByRole('button', { name: 'Reload page' }).click();
    await expect(framed(page).getByRole('heading', { level: 2 })).toHaveText('Radishes');
  });
});

test('sites are named where a type is built', async ({ page, admin }) => {
  await admin.api('POST', 'content-types', { name: 'notes', label: 'Notes', fields: { title: { type: 'text' } } });
  await page.goto('/admin/w/default/types/notes?tab=settings');
  await page.getByRole('button', { name: 'Add site' }).click();
  await expect(page.getByLabel('Name of site 1')).toBeFocused();
  await page.getByLabel('URL of site 1').fill('example.org/{slug}');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('This must begin with `https://` or `http://`.').first()).toBeVisible();
  await page.getByLabel('URL of site 1').fill('https://example.org/{slug}?recto={token}');
  await checkA11y(page);
  await page.keyboard.press('Control+s');
  await expect
    .poll(async () => (await admin.api<{ preview?: unknown }>('GET', 'content-types/notes')).preview)
    .toEqual([{ label: 'Website', url: 'https://example.org/{slug}?recto={token}' }]);
});
