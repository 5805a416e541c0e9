/** The status of an entry as readers notice it: what has begun by itself, and what never will. */
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, test } from './harness';

test.use({ sample: false });

async function given(admin: Admin, entry: Record<string, unknown>, type: Record<string, unknown> = {}): Promise<string> {
  await admin.api('POST', 'content-types', { name: 'dishes', label: 'Dishes', fields: { title: { type: 'text' } }, ...type });
  return (await admin.api<{ id: string }>('POST', 'content/dishes', { title: 'Soup', ...entry })).id;
}

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/dishes/${id}`);
  await expect(page.locator('#field-title')).toBeVisible();
}

const chip = (page: Page) => page.getByRole('heading', { level: 1 }).locator('..');
const status = (page: Page) => page.locator('#field-status');
const stored = (admin: Admin, id: string) => admin.api<{ status: string; published_at: string | null }>('GET', `content/dishes/${id}`);

test('an entry that was scheduled is published once its time has come', async ({ page, admin }) => {
  const id = await given(admin, { status: 'scheduled', published_at: '2020-01-01T00:00:00Z' });
  await page.goto('/admin/w/default/content/dishes');
  await expect(page.getByRole('row', { name: /Soup/ }).getByText('Published', { exact: true })).toBeVisible();
  await open(page, id);
  await expect(chip(page).getByText('Published')).toBeVisible();
  await expect(status(page)).toHaveValue('Published');
  await expect(page.getByText(/^Scheduled, and public since /)).toBeVisible();
  // What was only shown is not stored, and another time is planned as before.
  await page.locator('#field-title').fill('Stew');
  await page.keyboard.press('Control+s');
  await expect.poll(() => stored(admin, id)).toMatchObject({ title: 'Stew', status: 'scheduled', published_at: '2020-01-01T00:00:00Z' });
  await page.getByRole('textbox', { name: 'Published on: date' }).fill('2040-11-30');
  await page.keyboard.press('Tab');
  await expect(status(page)).toHaveValue('Scheduled');
});

for (const drafts of [false, true]) {
  test(`what is scheduled for later is published now${drafts ? ', with drafts too' : ''}`, async ({ page, admin }) => {
    const id = await given(admin, { status: 'scheduled', published_at: '2040-01-01T00:00:00Z' }, { drafts });
    await open(page, id);
    await expect(chip(page).getByText('Scheduled')).toBeVisible();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await expect(chip(page).getByText('Published')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Publish now' })).toHaveCount(0);
    const { status: now, published_at: at } = await stored(admin, id);
    expect(now).toBe('published');
    expect(new Date(at ?? '').getTime()).toBeLessThanOrEqual(Date.now());
  });
}

test('a date is no plan for a draft, and says so', async ({ page, admin }) => {
  const id = await given(admin, {});
  await open(page, id);
  const date = page.getByRole('textbox', { name: 'Published on: date' });
  const hint = page.getByText('Still a draft: it won’t be published then.');
  await date.fill('2020-01-01');
  await page.keyboard.press('Tab');
  await expect(hint).toHaveCount(0);
  await date.fill('2040-01-01');
  await page.keyboard.press('Tab');
  await expect(hint).toBeVisible();
  await checkA11y(page);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(status(page)).toHaveValue('Scheduled');
  await expect(status(page)).toBeFocused();
  await expect(hint).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await expect.poll(() => stored(admin, id)).toMatchObject({ status: 'scheduled' });
});
