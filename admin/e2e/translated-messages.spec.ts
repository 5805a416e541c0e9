import type { Page } from '@playwright/test';
import { type Admin, expect, test } from './harness';

test.use({ sample: false });

const LANGUAGES = [
  { locale: 'de-DE', name: 'German', slugTaken: 'Ein anderer Eintrag hat diesen Slug.', titleLong: 'Ein Titel hat höchstens 500 Zeichen.' },
  { locale: 'fr-FR', name: 'French', slugTaken: 'Une autre entrée a ce slug.', titleLong: 'Un titre a 500 caractères au maximum.' },
];

async function open(page: Page, admin: Admin): Promise<void> {
  await admin.api('POST', 'content-types', { name: 'dishes', label: 'Gerichte', fields: { title: { type: 'text' } } });
  await admin.api('POST', 'content/dishes', { title: 'Suppe', slug: 'suppe' });
  const { id } = await admin.api<{ id: string }>('POST', 'content/dishes', { title: 'Eintopf' });
  await page.goto(`/admin/w/default/content/dishes/${id}`);
}

for (const { locale, name, slugTaken, titleLong } of LANGUAGES) {
  test.describe(`in ${name}`, () => {
    test.use({ locale });

    test('what the server says is in the language of the interface', async ({ page, admin }) => {
      await open(page, admin);
      await page.getByRole('textbox', { name: 'Slug' }).fill('suppe');
      await page.keyboard.press('Control+s');
      await expect(page.getByText(slugTaken).first()).toBeVisible();
    });

    test('what the server says with a number in it is so, too', async ({ page, admin }) => {
      await open(page, admin);
      await page.getByRole('textbox', { name: 'Title' }).fill('ü'.repeat(501));
      await page.keyboard.press('Control+s');
      await expect(page.getByText(titleLong).first()).toBeVisible();
    });
  });
}
