/** The keyboard goes on where it was, whatever was open over the page or has gone from it. */
import type { Page } from '@playwright/test';
import { type Admin, expect, test } from './harness';

test.use({ sample: false });

async function given(admin: Admin): Promise<string> {
  await admin.api('POST', 'content-types', {
    name: 'notes',
    label: 'Notes',
    drafts: true,
    fields: {
      title: { type: 'text', label: 'Title' },
      links: { type: 'repeater', label: 'Links', subfields: [{ key: 'url', type: 'url', label: 'Address' }] },
      body: { type: 'blocks', label: 'Body', blocks: { text: { label: 'Text', fields: { words: { type: 'text', label: 'Words' } } } } },
    },
  });
  return (await admin.api<{ id: string }>('POST', 'content/notes', { title: 'One', status: 'published' })).id;
}

const title = (page: Page) => page.locator('#field-title');

test('in the panel of a field', async ({ page, admin }) => {
  await given(admin);
  await page.goto('/admin/w/default/types/notes');
  await page.getByRole('button', { name: /^Links / }).click();
  const panel = page.getByRole('dialog').filter({ hasText: 'Label' });
  await panel.getByRole('button', { name: 'Add field' }).click();
  await page.getByLabel('Search field kinds').fill('Text');
  await page.getByLabel('Search field kinds').press('Enter');
  const label = panel.getByLabel('Label', { exact: true });
  await expect(label).toBeFocused();
  await page.keyboard.type('Name');
  await panel.getByRole('button', { name: 'Links', exact: true }).click();
  await expect(panel.getByRole('button', { name: /^Name / })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(label).toBeFocused();
  await expect(label).toHaveValue('Name');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Body / }).click();
  await panel.getByRole('button', { name: 'Add block type' }).click();
  await expect(label).toBeFocused();
  await page.keyboard.type('Quote');
  await panel.getByRole('button', { name: 'Body', exact: true }).click();
  await expect(panel.getByRole('button', { name: /^Quote / })).toBeFocused();
  page.once('dialog', (it) => void it.accept());
});

test('after the dialogs and bars of an entry', async ({ page, admin }) => {
  const id = await given(admin);
  await page.goto(`/admin/w/default/content/notes/${id}`);
  const more = page.getByRole('button', { name: 'More actions', exact: true });
  for (const name of ['Schedule…', 'Add to release…']) {
    if (name.startsWith('Add')) await title(page).fill('Two');
    await more.click();
    await page.getByRole('menuitem', { name }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(more).toBeFocused();
  }
  await title(page).focus();
  await page.keyboard.press('Control+s');
  const differences = page.getByRole('button', { name: 'Show differences' });
  await differences.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(differences).toBeFocused();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(title(page)).toHaveValue('One');
  await expect(page.locator('#content')).toBeFocused();

  // Of another session, kept on the device.
  await title(page).fill('Three');
  await expect(page.getByText('kept on this device').first()).toBeVisible();
  page.once('dialog', (it) => void it.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page.locator('#content')).toBeFocused();
});

test('after a conflict is looked at', async ({ page, admin }) => {
  await admin.api('POST', 'content-types', { name: 'notes', label: 'Notes', fields: { title: { type: 'text', label: 'Title' } } });
  const { id } = await admin.api<{ id: string }>('POST', 'content/notes', { title: 'One' });
  await page.goto(`/admin/w/default/content/notes/${id}`);
  await title(page).fill('Mine');
  await admin.api('PATCH', `content/notes/${id}`, { title: 'Theirs' });
  await expect(page.getByText(/^Changed /)).toBeVisible();
  await title(page).focus();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(title(page)).toBeFocused();
});

test('after a view is saved, and an import is refused', async ({ page, admin }) => {
  await given(admin);
  await page.goto('/admin/w/default/content/notes?sort=title');
  const views = page.getByRole('button', { name: /^View: / });
  await views.click();
  await page.getByRole('menuitem', { name: 'Save as new view' }).click();
  await page.getByLabel('View name').fill('Mine');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(views).toBeFocused();

  await page.goto('/admin/w/default/import?type=notes');
  await page.locator('input[type=file]').setInputFiles({ name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('id,title\n1,One\n1,Two\n') });
  const check = page.getByRole('button', { name: 'Preview import' });
  await page.route('**/admin/api/imports**', (route) => route.fulfill({ status: 422, json: { error: { code: 'invalid_import', message: 'No.', fields: { 'row 2': 'Twice.' } } } }));
  await check.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeFocused();
});
