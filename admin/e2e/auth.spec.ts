import type { Page } from '@playwright/test';
import { Admin, checkA11y, expect, interceptRequests, PASSWORD, test } from './harness';

test.describe('an installation without a user', () => {
  test.use({ isSetUp: false });

  test('is set up on one page', async ({ page, server }) => {
    await page.goto(`/admin/setup?token=${server.setupToken}`);
    await expect(page).toHaveTitle('Welcome to Recto · Recto');
    await expect(page.getByLabel('Workspace name')).toBeFocused();
    await checkA11y(page, { thorough: true });

    // What is missing is told in its place, and the first of it has the focus.
    await page.getByRole('button', { name: 'Set up and get started' }).click();
    await expect(page.getByLabel('Username')).toBeFocused();
    await expect(page.getByText('This field is required.')).toHaveCount(2);

    await page.getByLabel('Workspace name').fill('Field notes');
    await page.getByLabel('Username').fill('anna');
    await page.getByLabel('Your name').fill('Anna Karg');
    await page.locator('[name=password]').fill('short');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Use at least 8 characters.')).toBeVisible();
    await page.locator('[name=password]').fill(PASSWORD);
    await expect(page.getByText('Strength: good').first()).toBeVisible();
    await expect(page.getByText('Use at least 8 characters.')).toHaveCount(0);
    await page.keyboard.press('Enter');

    await expect(page).toHaveURL(/\/admin\/w\/default\/?$/);
    await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Workspace: Field notes' })).toBeVisible();
  });

  test('leads there from everywhere', async ({ page }) => {
    await page.goto('/admin/w/default/media');
    await expect(page.getByRole('heading', { name: 'Welcome to Recto' })).toBeVisible();
    await page.goto('/admin/login');
    await expect(page.getByRole('heading', { name: 'Welcome to Recto' })).toBeVisible();
  });

  test('tells when somebody was faster', async ({ page, server }) => {
    await page.goto(`/admin/setup?token=${server.setupToken}`);
    await page.getByLabel('Username').fill('ben');
    await page.locator('[name=password]').fill('battery staple');
    await new Admin(server.url, 'anna').setUp(server.setupToken);
    await page.getByRole('button', { name: 'Set up and get started' }).click();
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await expect(page.getByText('This installation is already set up.', { exact: false })).toBeVisible();
  });

  test('asks for the token where the server does', async ({ page, server }) => {
    // From the machine itself no token is needed, so the answer to others is given in its stead.
    await page.route('**/admin/api/setup', async (route) => {
      const { setup_token } = route.request().postDataJSON() as { setup_token?: string };
      if (setup_token === server.setupToken) return route.continue();
      const error = { code: 'forbidden', message: 'Setting up from here needs the token.' };
      return route.fulfill({ status: 403, json: { error } });
    });
    await page.goto('/admin/setup');
    await page.getByLabel('Username').fill('anna');
    await page.locator('[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Setting up from another computer');
    await expect(page.getByLabel('Setup token')).toBeFocused();
    await page.getByLabel('Setup token').fill(server.setupToken);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/w\/default\/?$/);
  });
});

test.describe('logging in', () => {
  test.use({ loggedIn: false });

  test('leads back to the page that was asked for', async ({ page }) => {
    await page.goto('/admin/w/default/content/posts?sort=-title');
    await expect(page).toHaveURL(/\/admin\/login\?to=/);
    await expect(page.getByLabel('Username')).toBeFocused();
    await page.keyboard.type('anna');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/w\/default\/content\/posts\?sort=-title$/);
    await page.goBack();
    await expect(page.locator('[name=password]')).toHaveCount(0);
  });

  test('never leads to another site', async ({ page }) => {
    await page.goto('/admin/login?to=//example.org/phish');
    await page.getByLabel('Username').fill('anna');
    await page.locator('[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/admin\/w\/default\/?$/);
  });

  test('does not tell which names exist', async ({ page }) => {
    await page.goto('/admin/login');
    for (const name of ['anna', 'nobody']) {
      await page.getByLabel('Username').fill(name);
      await page.locator('[name=password]').fill('wrong horse');
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page.getByRole('alert')).toHaveText('Wrong username or password.');
      await expect(page.locator('[name=password]')).toBeFocused();
    }
    await checkA11y(page);
  });

  test('has to wait after too many tries', async ({ page }) => {
    await page.route('**/admin/api/login', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { error: { code: 'rate_limited', message: 'Too many tries.', retry_after: 1 } } }),
    );
    await page.goto('/admin/login');
    await page.getByLabel('Username').fill('anna');
    await page.locator('[name=password]').fill('wrong horse');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /Try again in \d seconds?/ })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeEnabled();
    await page.unroute('**/admin/api/login');
    await page.locator('[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  });

  test('speaks German, and shows the password', async ({ page }) => {
    await page.goto('/admin/login');
    await page.getByRole('button', { name: 'Language: English' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await page.getByLabel('Passwort', { exact: true }).fill('geheim');
    await page.getByRole('button', { name: 'Passwort anzeigen' }).click();
    await expect(page.getByLabel('Passwort', { exact: true })).toHaveAttribute('type', 'text');
    await checkA11y(page, { thorough: true });
  });
});

test('whoever is logged in is sent on', async ({ page }) => {
  await page.goto('/admin/login?to=/w/default/media');
  await expect(page).toHaveURL(/\/w\/default\/media$/);
  await page.goto('/admin/setup');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

/**
 * Ends the session with the first request of this address. Before that, requests of the page
 * that is still loading would find out first, and the dialog would cover what is to be clicked.
 */
function endSessionAt(page: Page, address: string) {
  return interceptRequests(
    page,
    address,
    async (route) => {
      await page.context().clearCookies();
      await route.continue();
    },
    { times: 1 },
  );
}

test.describe('a session that ends', () => {
  test('is begun again over the page, and nothing is lost', async ({ page }) => {
    await page.goto('/admin/w/default');
    await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
    await endSessionAt(page, '**/media**');
    await page.getByRole('link', { name: 'Media', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByLabel('Username')).toHaveValue('anna');
    await expect(dialog.locator('[name=password]')).toBeFocused();
    await checkA11y(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/w\/default\/media$/);
    await expect(page.getByText('hills-at-dawn.jpg').first()).toBeVisible();
  });

  test('begins from the start when somebody else logs in', async ({ page, admin }) => {
    await admin.person('ben', [{ effect: 'allow', actions: ['*'], resources: ['*'] }]);
    await page.goto('/admin/w/default');
    await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
    await endSessionAt(page, '**/trash**');
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Username').fill('ben');
    await dialog.locator('[name=password]').fill(PASSWORD);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await expect(page.getByRole('button', { name: 'Account of ben' })).toBeVisible();
  });

  test('does not ask whoever ends it on purpose', async ({ page }) => {
    await page.goto('/admin/w/default');
    await page.getByRole('button', { name: 'Account of anna' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});
