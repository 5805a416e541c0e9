import type { Page } from '@playwright/test';
import { checkA11y, expect, test } from './harness';

async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused();
}

test('finds screens, actions, entries and files by keyboard alone', async ({ page }) => {
  await page.goto('/admin/w/default');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Search or jump to' });
  await expect(input).toBeFocused();
  await expect(input).toHaveAttribute('aria-activedescendant', /-0$/);
  await page.keyboard.type('hills');
  await expect(page.getByRole('group', { name: 'Media' }).getByRole('option').first()).toBeVisible();
  await checkA11y(page);

  await input.fill('mending a');
  const option = page.getByRole('group', { name: 'Entries' }).getByRole('option', { name: /Mending a jumper in the open/ });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/content\/posts\/01k4g6ckw0z7b0f2$/);

  // What it says is “Create note”, and who looks for a new one finds it, too.
  await open(page);
  await input.fill('new note');
  await expect(page.getByRole('group', { name: 'Actions' }).getByRole('option', { name: /note/i })).toBeVisible();
  await page.keyboard.press('Escape');
  await open(page);
  await expect(page.getByRole('group', { name: 'Recently viewed' }).getByRole('option', { name: 'Dashboard' })).toBeVisible();
  await page.keyboard.type('content types');
  await expect(page.getByRole('option', { selected: true })).toHaveAccessibleName(/Content types/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/w\/default\/types$/);
});

test('moves through what it offers, and gives the focus back', async ({ page }) => {
  await page.goto('/admin/w/default');
  const button = page.getByRole('button', { name: /Search or jump to/ });
  await button.click();
  const input = page.getByRole('combobox', { name: 'Search or jump to' });
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await input.press('ArrowUp');
  await expect(page.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await input.press('ArrowDown');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await input.press('ArrowDown');
  await expect(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await input.fill('there is no such thing anywhere');
  await expect(page.getByText('No results for', { exact: false })).toBeVisible();
  await input.press('Escape');
  await expect(input).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('does things', async ({ page }) => {
  await page.goto('/admin/w/default');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await open(page);
  await page.keyboard.type('dark');
  await expect(page.getByRole('option', { selected: true })).toHaveAccessibleName('Appearance: Dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await open(page);
  await page.keyboard.type('shortcuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await open(page);
  await page.keyboard.type('new note');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/content\/notes\/~new/);
});

test('offers only what one may do', async ({ page, admin, become }) => {
  await admin.person('lea', [{ effect: 'allow', actions: ['content.read', 'dashboard.read'], resources: ['content:notes:*', 'dashboard:*'] }]);
  await become('lea');
  await page.goto('/admin/w/default');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: /^Notes/ })).toBeVisible();
  for (const name of [/^Posts/, /^Users/, /^New /, /^Settings/]) await expect(page.getByRole('option', { name })).toHaveCount(0);
});

test('no letter is lost that is typed before it is there, and all results are one key away', async ({ page }) => {
  // The dialog is long on its way.
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/PaletteDialog*.js', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto('/admin/w/default');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Briead');
  for (let at = 0; at < 4; at += 1) await page.keyboard.press('Backspace');
  await page.keyboard.type('ead');
  arrive();
  const input = page.getByRole('combobox', { name: 'Search or jump to' });
  await expect(input).toHaveValue('Bread');
  await expect(input).toBeFocused();
  await page.keyboard.type('s');
  await page.keyboard.press('Backspace');
  await expect(input).toHaveValue('Bread');

  await expect(page.getByRole('group', { name: 'Entries' })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('option', { selected: true })).toHaveAccessibleName('Show all results for “Bread”');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/w\/default\/search\?q=Bread$/);
});
