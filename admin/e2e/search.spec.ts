import { checkA11y, expect, resizeWindow, test } from './harness';

test('finds in texts and says why, and all of it is in the address', async ({ page, admin }) => {
  await admin.api('POST', 'content/notes', { title: 'Zebra crossing', text: 'Stripes for everybody.' });
  await admin.api('POST', 'content/notes', {
    title: 'Shopping', status: 'archived', text: `${'Something else. '.repeat(20)}A zebra of wood for the shelf. ${'And more. '.repeat(20)}`,
  });
  await page.goto('/admin/w/default/search');
  await expect(page).toHaveTitle('Search · Recto');
  await expect(page.getByRole('heading', { name: 'Search this workspace' })).toBeVisible();
  const input = page.getByRole('searchbox', { name: 'Search' });
  await expect(input).toBeFocused();
  await page.keyboard.type('zebra');
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.nth(0).getByRole('link', { name: 'Zebra crossing' }).locator('mark')).toHaveText('Zebra');
  await expect(entries.nth(1)).toContainText('In “Text”: …');
  await expect(entries.nth(1)).toContainText('A zebra of wood for the shelf.');
  await expect(entries.nth(1).locator('mark')).toHaveText('zebra');
  await expect(page).toHaveURL(/\/search\?q=zebra$/);
  await checkA11y(page);

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Archived' }).click();
  await expect(entries).toHaveCount(1);
  await expect(page).toHaveURL(/q=zebra&kind=entries&status=archived$/);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Content types' }).click();
  await page.getByRole('option', { name: 'Posts' }).click();
  await expect(page.getByRole('heading', { name: 'No results', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No results', exact: true })).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(entries).toHaveCount(2);

  await entries.nth(1).getByRole('link').click();
  await expect(page).toHaveURL(/\/content\/notes\/[0-9a-z]{16}$/);
  await page.goBack();
  await expect(input).toHaveValue('zebra');
});

test('shows kinds for themselves, page by page, and other languages', async ({ page, admin }) => {
  for (let at = 0; at < 27; at += 1) await admin.api('POST', 'content/notes', { title: `Hills number ${at}` });
  await page.goto('/admin/w/default/search?q=hills');
  await expect(page.getByRole('region', { name: 'Media' }).getByRole('listitem').first()).toBeVisible();
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('listitem');
  await expect(entries).toHaveCount(8);
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await expect(page).toHaveURL(/q=hills&kind=entries$/);
  await expect(entries).toHaveCount(25);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => entries.count()).toBeGreaterThanOrEqual(27);
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Media', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Entries' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Media' }).getByRole('link', { name: /hills/i }).first()).toBeVisible();

  await page.goto('/admin/w/default/search?q=there+is+no+such+thing');
  await expect(page.getByRole('heading', { name: 'No results for “there is no such thing”' })).toBeVisible();
});

test('finds only what one may read', async ({ page, admin, become }) => {
  await admin.api('POST', 'content/notes', { title: 'Zebra crossing' });
  await admin.api('POST', 'content/pages', { title: 'Zebra page' });
  await admin.person('lea', [{ effect: 'allow', actions: ['content.read'], resources: ['content:pages:*'] }]);
  await become('lea');
  await page.goto('/admin/w/default/search?q=zebra');
  await expect(page.getByRole('link', { name: 'Zebra page' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Zebra crossing' })).toHaveCount(0);
});

test('fits on the narrowest phones', async ({ page }) => {
  await page.goto('/admin/w/default/search?q=hills');
  await expect(page.getByRole('region', { name: 'Media' }).getByRole('listitem').first()).toBeVisible();
  for (const width of [320, 360]) {
    await resizeWindow(page, { width, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  }
});
