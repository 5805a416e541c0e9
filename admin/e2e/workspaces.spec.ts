import { checkA11y, expect, test } from './harness';

test('a workspace is made, named, made the default, archived and brought back', async ({ page }) => {
  await page.goto('/admin/system/workspaces');
  await page.getByRole('button', { name: 'New workspace' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('Übersee & Co');
  await expect(drawer.getByLabel('Slug')).toHaveValue('ubersee-co');
  await drawer.getByRole('button', { name: 'Create', exact: true }).click();
  const row = page.getByRole('row', { name: /Übersee & Co/ });
  await expect(row).toContainText('ubersee-co');

  const actions = row.getByRole('button', { name: /Actions for/ });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await drawer.getByLabel('Name').fill('Overseas');
  await page.keyboard.press('Control+s');
  const renamed = page.getByRole('row', { name: /Overseas/ });
  await expect(renamed).toBeVisible();

  await renamed.getByRole('button', { name: 'Actions for Overseas' }).click();
  await page.getByRole('menuitem', { name: 'Make default' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make default' }).click();
  await expect(renamed).toContainText('Default');
  await renamed.getByRole('button', { name: 'Actions for Overseas' }).click();
  await expect(page.getByRole('menuitem', { name: 'The default workspace can’t be archived.' })).toBeDisabled();
});

test('archiving asks for the slug, and can be taken back', async ({ page, admin }) => {
  await admin.api('POST', 'workspaces', { label: 'Shop' });
  await page.goto('/admin/system/workspaces');
  const row = page.getByRole('row', { name: /Shop/ });
  await row.getByRole('button', { name: 'Actions for Shop' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  const question = page.getByRole('dialog');
  await expect(question.getByRole('button', { name: 'Archive' })).toBeDisabled();
  await question.getByLabel('Type “shop” to confirm').fill('shop');
  await question.getByRole('button', { name: 'Archive' }).click();
  await expect(row).toContainText('Archived');
  await row.getByRole('button', { name: 'Actions for Shop' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await expect(row).toContainText('Active');
  await row.getByRole('link', { name: 'Shop' }).click();
  await expect(page).toHaveURL(/\/w\/shop/);
});

test('a slug that is taken is refused', async ({ page, admin }) => {
  await admin.api('POST', 'workspaces', { label: 'Shop' });
  await page.goto('/admin/system/workspaces');
  await expect(page.getByRole('table')).toBeVisible();
  // With the keyboard alone.
  await page.keyboard.press('c');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Another');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('shop');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The workspace `shop` already exists.');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('another-shop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /another-shop/ })).toBeVisible();
});

test('an icon is uploaded and removed', async ({ page }) => {
  await page.goto('/admin/system/workspaces');
  await page.getByRole('button', { name: 'Actions for Default' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const buffer = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.locator('input[type=file]').setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer });
  await expect(page.getByRole('button', { name: 'Replace picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Upload picture' })).toBeVisible();
});

test('the screen is accessible', async ({ page, admin }) => {
  await admin.api('POST', 'workspaces', { label: 'Shop' });
  await admin.api('DELETE', 'workspaces/shop');
  await page.goto('/admin/system/workspaces');
  await expect(page.getByRole('table')).toBeVisible();
  await checkA11y(page);
});

test('who may read no workspaces is told so', async ({ page, admin, become }) => {
  await admin.person('nils', [{ actions: ['content.read'], resources: ['content:*'] }]);
  await become('nils');
  await page.goto('/admin/system/workspaces');
  await expect(page.getByText('You need the permission “workspaces.read”', { exact: false })).toBeVisible();
});
