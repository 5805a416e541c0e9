import { checkA11y, expect, test } from './harness';

test('the focus goes with whoever goes somewhere', async ({ page }) => {
  await page.goto('/admin/w/default');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeFocused();
  await expect(page).toHaveTitle('Trash · Recto');
});

test('a list stays marked on the pages of its entries', async ({ page }) => {
  await page.goto('/admin/w/default/content/posts/01k4g6ckw0z7b0f2/history');
  const navigation = page.getByRole('navigation', { name: 'Navigation' });
  await expect(navigation.getByRole('link', { name: 'Posts' })).toHaveAttribute('aria-current', 'page');
  await expect(navigation.getByRole('link', { name: 'Dashboard' })).not.toHaveAttribute('aria-current');
});

test('a folded part stays folded', async ({ page }) => {
  await page.goto('/admin/w/default');
  const system = page.getByRole('button', { name: 'System' });
  await expect(page.getByRole('link', { name: 'Users' })).toBeVisible();
  await system.press('Enter');
  await expect(page.getByRole('link', { name: 'Users' })).toBeHidden();
  await page.reload();
  await expect(system).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('link', { name: 'Users' })).toBeHidden();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the navigation is a dialog', async ({ page }) => {
    await page.goto('/admin/w/default');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const burger = page.getByRole('button', { name: 'Navigation' });
    await burger.click();
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    await expect(drawer).toBeVisible();
    for (let at = 0; at < 40; at += 1) await page.keyboard.press('Tab');
    expect(await drawer.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await checkA11y(page);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(burger).toBeFocused();
    await burger.click();
    await drawer.getByRole('link', { name: 'Trash' }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible();
  });
});

test.describe('a server that goes away', () => {
  test.use({ expectedComplaints: [/Failed to load resource|ERR_|reach the server/] });

  test('is told, and noticed when it comes back', async ({ page, server }) => {
    await page.goto('/admin/w/default');
    await expect(page.getByRole('region', { name: 'Recently edited' })).toBeVisible();
    await server.stop();
    // Screens that are not loaded yet do not cost the page that is there.
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    const banner = page.getByRole('alert', { name: 'Can’t reach the server' });
    await expect(page.getByRole('heading', { level: 1, name: 'Can’t reach the server' })).toBeVisible();
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await page.getByRole('button', { name: 'Hide this guide' }).click();
    await expect(banner).toBeVisible();
    await server.start();
    // It asks by itself every few seconds.
    await expect(banner).toHaveCount(0);
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible();
  });
});

test('everything moves closer together for whoever likes it', async ({ page, admin }) => {
  await admin.api('PUT', 'profile', { preferences: { density: 'compact' } });
  await page.goto('/admin/w/default');
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
});

test('an address without a page says so', async ({ page }) => {
  await page.goto('/admin/w/default/nowhere');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await checkA11y(page);
});

test('the workspace can be switched', async ({ page, admin }) => {
  await admin.api('POST', 'workspaces', { label: 'Second site' });
  await page.goto('/admin/w/default');
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitem', { name: 'Second site' }).click();
  await expect(page).toHaveURL(/\/w\/second-site\/?$/);
  await expect(page.getByRole('heading', { name: 'No content types yet' })).toBeVisible();
});
