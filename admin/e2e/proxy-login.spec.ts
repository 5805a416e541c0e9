import { expect, test } from './harness';

test.describe('behind a proxy that names the user', () => {
  test.use({
    loggedIn: false,
    serve: ['--trusted-proxies', '127.0.0.1', '--login-proxy-header', 'Remote-User', '--login-proxy-logout-url', '/healthz'],
    extraHTTPHeaders: { 'Remote-User': 'anna' },
    // The page after logging out has no picture, and those of media need a session again.
    expectedComplaints: [/favicon\.ico|401 \(Unauthorized\).*media-thumbs/],
  });

  test('nobody sees the login page', async ({ page }) => {
    await page.goto('/admin/w/default/media');
    await expect(page.getByRole('heading', { name: 'Media' })).toBeVisible();
    await page.goto('/admin/login');
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await page.getByRole('button', { name: 'anna' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/\/healthz$/);
  });

  test('a session that ends is begun again without a word', async ({ page, context }) => {
    await page.goto('/admin/w/default/media');
    await expect(page.getByRole('heading', { name: 'Media' })).toBeVisible();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Posts' }).click();
    await expect(page.getByRole('heading', { name: 'Posts' })).toBeVisible();
    await expect(page.getByText('Your session has ended')).toHaveCount(0);
  });
});
