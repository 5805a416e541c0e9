/**
 * Somebody who has never seen the product: from the address that the server prints to a post with a
 * picture that everybody can read, with nothing to go by but what the screen says. Each click counts,
 * and each key that presses a button or chooses something; typing, and Tab between inputs, do not.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, type Server, test } from './harness';

test.use({ isSetUp: false, loggedIn: false });

/** A picture of 8 × 8 pixels. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGOQj+/GihiGlgQAyD9CQZfV5SkAAAAASUVORK5CYII=',
  'base64',
);

/** Counts what somebody has to press. */
function counter() {
  const counted = { clicks: 0 };
  const click = async (target: Locator) => {
    counted.clicks += 1;
    await target.click();
  };
  return { counted, click };
}

type Click = ReturnType<typeof counter>['click'];

/** Fills in the first page; what comes with it is to be chosen before. */
async function setUp(page: Page, click: Click): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill('anna');
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await click(page.getByRole('button', { name: 'Set up and get started' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
}

/** Uploads a picture into a field. */
async function addPicture(page: Page, click: Click, field: string): Promise<void> {
  await click(page.getByRole('button', { name: `${field}: choose file` }));
  const picker = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await click(picker.getByRole('button', { name: 'Upload' }));
  await (await chooser).setFiles({ name: 'hello.png', mimeType: 'image/png', buffer: PICTURE });
  await click(picker.getByRole('button', { name: 'Use' }));
  await expect(page.getByRole('group', { name: field }).getByText('hello.png', { exact: true })).toBeVisible();
}

async function publish(page: Page, click: Click, type: string): Promise<void> {
  await click(page.getByRole('main').getByRole('button', { name: 'Publish', exact: true }));
  await expect(page).toHaveURL(new RegExp(`content/${type}/[0-9a-z]{16}`));
}

/** Reads the entry and its picture as anybody can. */
async function expectPublic(server: Server, path: string, picture: string): Promise<void> {
  const { data } = await (await fetch(`${server.url}/api/v1/workspaces/default/content/${path}`)).json();
  expect(data.title).toBe('My first post');
  expect(data.status).toBe('published');
  expect(data.data[picture]).toHaveLength(1);
  const { pathname } = new URL(data.data[picture][0]);
  expect((await fetch(`${server.url}${pathname}`)).status).toBe(200);
}

test('a newcomer publishes a post with a picture', async ({ page, server }, info) => {
  const { counted, click } = counter();
  const began = Date.now();
  await page.goto(`/admin/setup?token=${server.setupToken}`);
  await setUp(page, click);
  await click(page.getByRole('link', { name: /Write your first post/ }));

  await page.locator('#field-title').fill('My first post');
  await page.getByRole('textbox', { name: 'Excerpt' }).fill('What it is about.');
  await page.getByRole('textbox', { name: 'Text', exact: true }).focus();
  await page.keyboard.type('Hello, world.');
  await click(page.getByRole('textbox', { name: /^Category/ }));
  await click(page.getByRole('option', { name: /Bread/ }));
  await addPicture(page, click, 'Hero image');
  await publish(page, click, 'posts');
  await expectPublic(server, 'posts/my-first-post', 'hero');

  info.annotations.push({ type: 'clicks', description: String(counted.clicks) });
  console.log(`a newcomer needed ${counted.clicks} clicks with samples, a machine ${((Date.now() - began) / 1000).toFixed(1)} s`);
  expect(counted.clicks).toBeLessThanOrEqual(8);
});

test('a newcomer begins with nothing, and makes a type of their own', async ({ page, server }, info) => {
  const { counted, click } = counter();
  await page.goto(`/admin/setup?token=${server.setupToken}`);
  await click(page.getByRole('radio', { name: 'Start empty' }));
  await setUp(page, click);
  const guide = page.getByRole('region', { name: 'Getting started' });
  await expect(guide).toContainText('0 of 7 done');
  await click(guide.getByRole('link', { name: /Create a content type/ }));

  await click(page.getByRole('link', { name: /Start empty/ }));
  await page.getByLabel('Label').fill('Reports');
  for (const [kind, label] of [[/^Formatted text \(Markdown/, 'Story'], [/^Media/, 'Cover']] as const) {
    await click(page.getByRole('button', { name: 'Add field' }));
    await click(page.getByRole('dialog').getByRole('button', { name: kind }));
    await page.getByRole('dialog').getByLabel('Label', { exact: true }).fill(label);
    counted.clicks += 1;
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await click(page.getByRole('button', { name: 'Create content type' }));
  await click(page.getByRole('link', { name: 'Write the first report' }));

  await expect(page.getByRole('heading', { level: 1, name: 'New report' })).toBeVisible();
  await page.locator('#field-title').fill('My first post');
  await page.getByRole('textbox', { name: 'Story', exact: true }).focus();
  await page.keyboard.type('Hello, world.');
  await addPicture(page, click, 'Cover');
  await publish(page, click, 'reports');
  await expectPublic(server, 'reports/my-first-post', 'cover');

  await page.goto('/admin/');
  await expect(guide).toContainText('4 of 7 done');
  info.annotations.push({ type: 'clicks', description: String(counted.clicks) });
  console.log(`a newcomer needed ${counted.clicks} clicks without samples`);
  expect(counted.clicks).toBeLessThanOrEqual(25);
});
