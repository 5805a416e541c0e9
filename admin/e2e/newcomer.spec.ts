/**
 * Somebody who has never seen the product: from the address that the server prints to a post with a
 * picture that everybody can read, with nothing to go by but what the screen says.
 */
import type { Locator } from '@playwright/test';
import { expect, test } from './harness';

test.use({ isSetUp: false, loggedIn: false });

/** A picture of 8 × 8 pixels. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGOQj+/GihiGlgQAyD9CQZfV5SkAAAAASUVORK5CYII=',
  'base64',
);

test('a newcomer publishes a post with a picture', async ({ page, server }, info) => {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };

  const began = Date.now();
  await page.goto(`/admin/setup?token=${server.setupToken}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('textbox', { name: 'Username' }).fill('anna');
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await click(page.getByRole('button', { name: 'Set up and get started' }));

  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await click(page.getByRole('link', { name: /Write your first entry/ }));

  await page.locator('#field-title').fill('My first post');
  await page.getByRole('textbox', { name: 'Excerpt' }).fill('What it is about.');
  await click(page.getByRole('textbox', { name: 'Text', exact: true }));
  await page.keyboard.type('Hello, world.');
  await click(page.getByRole('textbox', { name: /^Category/ }));
  await click(page.getByRole('option', { name: /Bread/ }));

  await click(page.getByRole('button', { name: 'Hero image: choose files' }));
  const picker = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await click(picker.getByRole('button', { name: 'Upload' }));
  await (await chooser).setFiles({ name: 'hello.png', mimeType: 'image/png', buffer: PICTURE });
  await click(picker.getByRole('button', { name: 'Use' }));
  await expect(page.getByRole('group', { name: 'Hero image' }).getByText('hello.png')).toBeVisible();

  await click(page.getByRole('main').getByRole('button', { name: 'Publish', exact: true }));
  await expect(page).toHaveURL(/content\/posts\/[0-9a-z]{16}/);

  // Nobody is logged in here.
  const posts = `${server.url}/api/v1/workspaces/default/content/posts`;
  const { data } = await (await fetch(`${posts}/my-first-post`)).json();
  expect(data.title).toBe('My first post');
  expect(data.status).toBe('published');
  expect(data.data.hero).toHaveLength(1);
  const hero = new URL(data.data.hero[0]);
  expect((await fetch(`${server.url}${hero.pathname}`)).status).toBe(200);

  info.annotations.push({ type: 'clicks', description: String(clicks) });
  console.log(`a newcomer needed ${clicks} clicks, a machine ${((Date.now() - began) / 1000).toFixed(1)} s`);
  expect(clicks).toBeLessThanOrEqual(10);
});
