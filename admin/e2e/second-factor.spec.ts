import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { checkA11y, expect, PASSWORD, test } from './harness';

/** Returns the code that an authenticator app shows, `steps` after now. */
function totp(secret: string, steps = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replaceAll(' ', '')].map((it) => alphabet.indexOf(it).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((it) => Number.parseInt(it, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const tag = createHmac('sha1', key).update(counter).digest();
  const number = tag.readUInt32BE((tag.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Takes the steps from the password to the recovery codes. Returns the secret, the code that was used, and the recovery codes. */
async function setUp(page: Page, look = false): Promise<{ secret: string; used: string; codes: string[] }> {
  const next = page.getByRole('button', { name: 'Continue' });
  // The profile has another field of that name, which is the last one until this step is there.
  await expect(next).toBeVisible();
  await page.getByRole('textbox', { name: 'Current password' }).last().fill(PASSWORD);
  await next.click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expect(page.getByLabel('Code from the app')).toBeFocused();
  if (look) {
    await checkA11y(page);
  }
  const secret = await page.getByTestId('factor-secret').innerText();
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is wrong or was already used.')).toBeVisible();
  const used = totp(secret);
  await page.getByLabel('Code from the app').fill(used);
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  if (look) {
    await checkA11y(page);
  }
  const codes = await list.getByRole('listitem').allInnerTexts();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  return { secret, used, codes };
}

async function logIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('a second factor is set up, asked for, and turned off', async ({ page, admin, browser, server }) => {
  await page.goto('/admin/system/profile');
  await page.getByRole('button', { name: 'Set up' }).click();
  const { secret, used, codes } = await setUp(page, true);
  await expect(page.getByText('10 recovery codes left')).toBeVisible();

  const other = await browser.newContext({ baseURL: server.url });
  const visitor = await other.newPage();
  await visitor.goto('/admin/login?to=/w/default/media');
  await logIn(visitor, 'anna');
  await expect(visitor.getByLabel('Code')).toBeFocused();
  await checkA11y(visitor);
  // The code that confirmed the set-up is used up.
  await visitor.keyboard.type(used);
  await visitor.keyboard.press('Enter');
  await expect(visitor.getByRole('alert')).toContainText('This code is wrong, has expired or was already used.');
  await visitor.getByLabel('Code').fill(totp(secret, 1));
  await visitor.keyboard.press('Enter');
  await expect(visitor).toHaveURL(/\/w\/default\/media$/);

  await other.clearCookies();
  await visitor.goto('/admin/login');
  await logIn(visitor, 'anna');
  await visitor.getByRole('button', { name: 'Back' }).click();
  await expect(visitor.getByLabel('Username')).toHaveValue('anna');
  await visitor.getByRole('button', { name: 'Log in' }).click();
  await visitor.getByLabel('Code').fill(codes[0] ?? '');
  await visitor.keyboard.press('Enter');
  await expect(visitor.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await other.close();

  await page.reload();
  await expect(page.getByText('9 recovery codes left')).toBeVisible();
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  expect((await admin.api<{ enabled: boolean }>('GET', 'profile/second-factor')).enabled).toBe(false);
});

test('a role requires it, and an administrator removes one that is lost', async ({ page, admin, browser, server }) => {
  await admin.api('POST', 'users', { username: 'emil', role: 'editor', password: PASSWORD });
  await page.goto('/admin/system/roles/editor');
  await page.getByRole('button', { name: 'Change this role' }).click();
  await page.getByLabel('Require a second factor').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();

  const other = await browser.newContext({ baseURL: server.url });
  const emil = await other.newPage();
  await emil.goto('/admin/w/default/content/posts');
  await logIn(emil, 'emil');
  await expect(emil.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await checkA11y(emil);
  await emil.goto('/admin/w/default/media');
  await expect(emil.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await setUp(emil);
  await expect(emil).toHaveURL(/\/w\/default\/media$/);
  await expect(emil.getByRole('heading', { name: 'Media' })).toBeVisible();

  await page.goto('/admin/system/users');
  await page.getByRole('link', { name: 'emil' }).click();
  await page.getByRole('button', { name: 'Remove second factor' }).click();
  await page.getByRole('dialog', { name: /Remove the second factor of emil/ }).getByRole('button', { name: 'Remove second factor' }).click();
  await expect(page.getByText('Second factor removed')).toBeVisible();
  await emil.reload();
  await expect(emil.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await other.close();

  // Of the administrators' role, this is all that can be changed.
  await page.goto('/admin/system/roles/admin');
  await page.getByLabel('Require a second factor').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
});
