import type { Route } from '@playwright/test';
import { checkA11y, expect, interceptRequests, test } from './harness';

interface Settings {
  site_name: string;
  max_revisions: number;
  trash_retention_days: number | null;
  upload: { max_bytes: number };
  cors: { origins: string[] };
}

test('settings are changed and saved at once', async ({ page, admin }) => {
  await page.goto('/admin/system/settings');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('The garden');
  await page.getByRole('combobox', { name: 'Trash' }).click();
  await page.getByRole('option', { name: 'Delete permanently after some days' }).click();
  await page.getByLabel('Days').fill('14');
  await page.getByRole('textbox', { name: 'Maximum file size' }).fill('12.5');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  const saved = await admin.api<Settings>('GET', 'settings');
  expect(saved).toMatchObject({ site_name: 'The garden', trash_retention_days: 14, upload: { max_bytes: 13_107_200 } });
});

test('what is typed while a save is under way is saved after it', async ({ page, admin }) => {
  await page.goto('/admin/system/settings');
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  const hold = (route: Route) => (route.request().method() === 'GET' ? route.continue() : released.then(() => route.continue()));
  await interceptRequests(page, '**/admin/api/settings', hold);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('The garden');
  const sent = page.waitForRequest((it) => it.method() !== 'GET' && it.url().endsWith('/settings'));
  await page.keyboard.press('Control+s');
  await sent;
  await name.fill('The orchard');
  await page.keyboard.press('Control+s');
  release();
  await expect.poll(async () => (await admin.api<Settings>('GET', 'settings')).site_name).toBe('The orchard');
});

test('what is refused stands at its input, and nothing is lost by leaving', async ({ page }) => {
  await page.goto('/admin/system/settings');
  const origins = page.getByRole('combobox', { name: 'Allowed origins' }).or(page.getByLabel('Allowed origins'));
  await origins.first().fill('example');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('`example` is not valid here.')).toBeVisible();
  await page.getByRole('link', { name: 'Roles' }).click();
  const question = page.getByRole('dialog', { name: 'Leave this page?' });
  await question.getByRole('button', { name: 'Stay on page' }).click();
  await expect(page).toHaveURL(/settings$/);
});

test('the approvals that a change needs, and of whom, are set', async ({ page, admin }) => {
  await page.goto('/admin/system/settings');
  const approvals = page.getByLabel('Required approvals');
  await expect(approvals).toHaveValue('0');
  await approvals.fill('11');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('This must be a whole number from 0 to 10.')).toBeVisible();
  await approvals.fill('2');
  const authors = page.getByRole('switch', { name: 'Authors can approve their own releases' });
  await authors.press('Space');
  await expect(authors).toBeChecked();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByText('This must be a whole number from 0 to 10.')).toHaveCount(0);
  const rules = async () => (await admin.api<{ changes: object }>('GET', 'settings')).changes;
  expect(await rules()).toEqual({ approvals_required: 2, author_may_approve: true });
  // Empty is none, and the rest stays as it is.
  await approvals.fill('');
  await page.keyboard.press('Control+s');
  await expect.poll(rules).toEqual({ approvals_required: 0, author_may_approve: true });
});

test('a picture size gets a name, and shows what comes of it', async ({ page, admin }) => {
  await page.goto('/admin/system/settings');
  const pictures = page.getByRole('region', { name: 'Pictures' });
  await pictures.getByRole('button', { name: 'Add preset' }).click();
  await expect(pictures.getByRole('group', { name: 'Preset card' })).toBeVisible();
  const size = pictures.getByRole('group').first();
  await expect(size.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await size.getByRole('textbox', { name: 'Name' }).fill('Wide Card');
  await expect(size.getByText('?preset=wide-card')).toBeVisible();
  await size.getByLabel('Width').fill('');
  await size.getByLabel('Height').fill('');
  await page.keyboard.press('Control+s');
  await expect(size.getByLabel('Width')).toHaveAccessibleDescription('Enter a width or a height.');
  await size.getByLabel('Width').fill('320');
  await size.getByLabel('Height').fill('100');
  await expect(pictures.getByText('320 × 100 pixels')).toBeVisible();
  await size.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'JPEG' }).click();
  await pictures.getByRole('textbox', { name: 'Cache for resized pictures' }).fill('2');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Settings saved')).toBeVisible();
  const images = async () => (await admin.api<{ images: object }>('GET', 'settings')).images;
  const card = { w: 320, h: 100, fit: 'cover', q: 82, format: 'jpeg' };
  expect(await images()).toEqual({ cache_bytes: 2 * 1024 ** 3, presets: { 'wide-card': card } });
  const link = pictures.getByRole('link', { name: 'Open picture' });
  const picture = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(picture.headers()['content-type']).toBe('image/jpeg');

  // A second one gets another name; two with the same are refused here.
  await pictures.getByRole('button', { name: 'Add preset' }).click();
  const second = pictures.getByRole('group').nth(1);
  await second.getByRole('textbox', { name: 'Name' }).fill('wide-card');
  await page.keyboard.press('Control+s');
  await expect(second.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription('Another preset already has this name.');
  await second.getByRole('textbox', { name: 'Name' }).fill('thumb');
  await page.keyboard.press('Control+s');
  await expect.poll(images).toMatchObject({ presets: { 'wide-card': card, thumb: { w: 600 } } });
  // They stay in the order in which they were put.
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(pictures.getByRole('textbox', { name: 'Name' }).first()).toHaveValue('wide-card');
  await pictures.getByRole('button', { name: 'Remove wide-card' }).click();
  await page.keyboard.press('Control+s');
  await expect.poll(async () => Object.keys((await admin.api<{ images: { presets: object } }>('GET', 'settings')).images.presets)).toEqual(['thumb']);
  await checkA11y(page);
});

test.describe('what the configuration decides', () => {
  test.use({ serve: ['--cache-max-age', '60'] });

  test('is shown with the reason', async ({ page }) => {
    await page.goto('/admin/system/settings');
    await expect(page.getByLabel('Cache time for responses')).toBeDisabled();
    await expect(page.getByLabel('Cache time for responses')).toHaveValue('60');
    await expect(page.getByText('Set by flag --cache-max-age. You can’t change it here.')).toBeVisible();
  });
});

test('updates say why there are none', async ({ page }) => {
  await page.goto('/admin/system/settings');
  const updates = page.getByRole('region', { name: 'Updates' });
  await expect(updates.getByText('Updates aren’t set up', { exact: false })).toBeVisible();
  await expect(updates.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'About' })).toContainText('Recto');
});

test('a new version is brought, and told why it cannot be installed', async ({ page }) => {
  const status = {
    current_version: '0.1.0', latest: { version: '9.0.0', released_at: null, notes: 'Faster lists', size: 35_000_000 }, update_available: true,
    channel_url: 'https://releases.example.org/latest.json', staged: null, restart_needed: false, checked_at: null, target: 'x', message: '',
  };
  const staged = { version: '9.0.0', sha256: 'x', size: 35_000_000, downloaded_at: '2026-01-01T00:00:00Z' };
  // There is no release channel to ask in a test, so the answers are made up.
  await page.route('**/admin/api/update', (route) => route.fulfill({ json: { data: status } }));
  await page.route('**/admin/api/update/download', (route) => route.fulfill({ json: { data: { ...status, staged } } }));
  await page.route('**/admin/api/update/install', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'This program belongs to an image.' } } }),
  );
  await page.goto('/admin/system/settings');
  const updates = page.getByRole('region', { name: 'Updates' });
  await expect(updates.getByText('Version 9.0.0 is available.')).toBeVisible();
  await expect(updates.getByText('Faster lists')).toBeVisible();
  await updates.getByRole('button', { name: 'Download' }).click();
  await updates.getByRole('button', { name: 'Install' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click();
  await expect(updates.getByRole('alert')).toHaveText('This program belongs to an image.');
});

test('who may only read sees the settings and cannot change them', async ({ page, admin, become }) => {
  await admin.person('rita', [{ actions: ['settings.read'], resources: ['*'] }]);
  await become('rita');
  await page.goto('/admin/system/settings');
  await expect(page.getByText('Your role lets you view the settings', { exact: false })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
});

test('the screen is accessible', async ({ page }) => {
  await page.goto('/admin/system/settings');
  await expect(page.getByRole('region', { name: 'Updates' })).toBeVisible();
  await checkA11y(page);
});
