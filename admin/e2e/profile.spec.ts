import { Admin, checkA11y, expect, PASSWORD, test } from './harness';

/** The smallest PNG there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('name, address and picture are changed', async ({ page }) => {
  await page.goto('/admin/system/profile');
  await page.getByLabel('Display name').fill('Anna Berg');
  await page.getByLabel('Email').fill('anna@example.org');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Profile saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account of Anna Berg' })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE });
  await expect(page.getByRole('button', { name: 'Replace picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Upload picture' })).toBeVisible();
});

test('the password needs the old one, and ends other sessions', async ({ page, server }) => {
  await new Admin(server.url, 'anna').logIn();
  await page.goto('/admin/system/profile');
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByLabel('Current password', { exact: false }).fill('wrong');
  await page.getByRole('textbox', { name: 'New password' }).fill('a better password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password', { exact: false })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Current password', { exact: false }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('sessions are ended, one and all', async ({ page, server }) => {
  for (let session = 0; session < 3; session += 1) await new Admin(server.url, 'anna').logIn();
  await page.goto('/admin/system/profile');
  await expect(page.getByRole('row')).toHaveCount(5);
  await expect(page.getByRole('row').filter({ hasText: 'This device' })).toHaveCount(1);
  await page.getByRole('button', { name: /Log out: / }).first().press('Enter');
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeFocused();
  await page.getByRole('button', { name: 'Log out everywhere else' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere else' }).press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('preferences count at once and stay', async ({ page }) => {
  await page.goto('/admin/system/profile');
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByText('Compact', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  await page.getByLabel('Single-letter shortcuts').press('Space');
  await expect(page.getByLabel('Single-letter shortcuts')).not.toBeChecked();
  await page.getByRole('button', { name: 'Show all shortcuts' }).click();
  await expect(page.getByRole('dialog').getByText('Single-letter shortcuts are turned off in your profile.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mein Profil' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Sprache' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Mein Profil' })).toBeVisible();
  await expect(page.getByLabel('Kürzel mit einzelnen Buchstaben')).not.toBeChecked();
  await page.getByRole('button', { name: 'Einstellungen zurücksetzen' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Einstellungen zurücksetzen' }).click();
  await expect(page.getByLabel('Kürzel mit einzelnen Buchstaben')).toBeChecked();
});

test('another language is spoken at once, with its own dates and colons', async ({ page }) => {
  await page.goto('/admin/system/profile');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mon profil' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await page.goto('/admin/w/default');
  await expect(page.getByRole('region', { name: 'Activité récente' })).toContainText('a configuré l’installation');
  await page.goto('/admin/w/default/content/posts/01k4g6ckw0z7b0f2');
  await expect(page.getByRole('radio', { name: /^Anglais/ })).toBeChecked();
  await page.getByRole('textbox', { name: 'Date', exact: true }).click();
  await expect(page.getByText('septembre 2025').first()).toBeVisible();
  await checkA11y(page);
});

test('who may not change their profile can still look', async ({ page, admin, become }) => {
  await admin.person('nils', [{ actions: ['content.read'], resources: ['content:*'] }]);
  await become('nils');
  await page.goto('/admin/system/profile');
  await expect(page.getByLabel('Display name')).not.toBeEditable();
  await expect(page.getByRole('button', { name: 'Change password' })).toHaveCount(0);
});

test('the screen is accessible', async ({ page }) => {
  await page.goto('/admin/system/profile');
  await expect(page.getByRole('table')).toBeVisible();
  await page.getByRole('textbox', { name: 'New password' }).fill('something');
  await checkA11y(page);
});
