import type { Page } from '@playwright/test';
import { type Admin, expect, test } from './harness';

test.use({ locale: 'de-DE', sample: false });

async function open(page: Page, admin: Admin): Promise<void> {
  await admin.api('POST', 'content-types', { name: 'dishes', label: 'Gerichte', fields: { title: { type: 'text' } } });
  await admin.api('POST', 'content/dishes', { title: 'Suppe', slug: 'suppe' });
  const { id } = await admin.api<{ id: string }>('POST', 'content/dishes', { title: 'Eintopf' });
  await page.goto(`/admin/w/default/content/dishes/${id}`);
}

test('what the server says is German where the interface is', async ({ page, admin }) => {
  await open(page, admin);
  await page.getByRole('textbox', { name: 'Slug' }).fill('suppe');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Ein anderer Eintrag hat diesen Slug.').first()).toBeVisible();
});

test('what the server says with a number in it is German, too', async ({ page, admin }) => {
  await open(page, admin);
  await page.getByRole('textbox', { name: 'Title' }).fill('ü'.repeat(501));
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Ein Titel hat höchstens 500 Zeichen.').first()).toBeVisible();
});
