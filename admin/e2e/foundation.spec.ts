import { expect, test } from './harness';

test('the shell shows the way to every content type', async ({ page }) => {
  await page.goto('/admin/');
  await expect(page).toHaveURL(/\/admin\/w\/default\/?$/);
  const navigation = page.getByRole('navigation');
  await expect(navigation.getByRole('link', { name: 'Posts' })).toBeVisible();
  await expect(navigation.getByRole('link', { name: 'Media' })).toBeVisible();
});

test.describe('below a base path', () => {
  test.use({ basePath: '/cms' });

  test('deep links and chunks are found', async ({ page }) => {
    await page.goto('/cms/admin/w/default/media');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});
