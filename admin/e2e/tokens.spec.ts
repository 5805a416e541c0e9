import { checkA11y, expect, test } from './harness';

interface Token {
  id: string;
  name: string;
  permissions: unknown[];
  expires_at: string | null;
}

test('a token is made, shown once, works, is revoked and forgotten', async ({ page, admin, server }) => {
  await page.goto('/admin/system/tokens');
  await page.getByRole('button', { name: 'New token' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('Website');
  await drawer.getByLabel('Read published content').check();
  await expect(drawer.getByText('Can read entries of all types, only with the status Published.')).toBeVisible();
  await drawer.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = await drawer.getByTestId('token').innerText();
  expect(secret).toMatch(/^recto_/);
  await expect(drawer.getByLabel('Example with curl')).toContainText(`Authorization: Bearer ${secret}`);
  // It is not lost by a key pressed by accident.
  await page.keyboard.press('Escape');
  await expect(drawer.getByTestId('token')).toBeVisible();
  await drawer.getByRole('button', { name: 'I’ve copied it' }).click();
  await expect(drawer).toHaveCount(0);

  const read = () => fetch(`${server.url}/api/v1/workspaces/default/content/posts`, { headers: { Authorization: `Bearer ${secret}` } });
  expect((await read()).status).toBe(200);
  const [made] = await admin.api<Token[]>('GET', 'tokens');
  expect(made?.expires_at).not.toBeNull();

  const row = page.getByRole('row', { name: /Website/ });
  await expect(row).toContainText('Active');
  await expect(row).toContainText('by anna');
  await row.getByRole('button', { name: 'Actions for Website' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
  expect((await read()).status).toBe(401);
  await row.getByRole('button', { name: 'Actions for Website' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'No tokens yet' })).toBeVisible();
});

test('a token of grants put together by hand, then described', async ({ page, admin }) => {
  await page.goto('/admin/system/tokens');
  await page.getByRole('button', { name: 'New token' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Create', exact: true }).click();
  await drawer.getByLabel('Name').fill('Camera');
  await drawer.getByLabel('Upload media').check();
  await drawer.getByRole('button', { name: 'Customise these rules' }).click();
  await drawer.getByRole('button', { name: /Can view and upload all media/ }).click();
  await drawer.getByRole('group', { name: 'Media', exact: true }).getByText('View', { exact: true }).click();
  await expect(drawer.getByText('Can upload all media.')).toBeVisible();
  await drawer.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'Never' }).click();
  await page.keyboard.press('Control+s');
  await drawer.getByRole('button', { name: 'I’ve copied it' }).click();
  const [made] = await admin.api<Token[]>('GET', 'tokens');
  expect(made).toMatchObject({ expires_at: null, permissions: [{ effect: 'allow', actions: ['media.upload'], resources: ['media:*'] }] });

  await page.getByRole('button', { name: 'Camera', exact: true }).click();
  await drawer.getByLabel('Name').fill('Camera in the hall');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: 'Camera in the hall', exact: true })).toBeVisible();
});

test('a token can do no more than who makes it', async ({ page, admin, become }) => {
  await admin.person('tom', [
    { actions: ['tokens.*'], resources: ['*'] },
    { actions: ['media.read'], resources: ['media:*'] },
  ]);
  await become('tom');
  await page.goto('/admin/system/tokens');
  await page.getByRole('button', { name: 'New token' }).first().click();
  await page.getByLabel('Name').fill('Greedy');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('dialog').getByRole('alert').filter({ hasText: 'grant' })).toBeVisible();
});

test('a token is made with the keyboard alone', async ({ page }) => {
  await page.goto('/admin/system/tokens');
  await expect(page.getByRole('heading', { name: 'No tokens yet' })).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Keys');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Read everything')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('Read and write content')).toBeChecked();
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('token')).toBeVisible();
  await page.getByRole('button', { name: 'I’ve copied it' }).press('Enter');
  await expect(page.getByRole('row', { name: /Keys/ })).toBeVisible();
});

test('the list is accessible', async ({ page, admin }) => {
  await admin.api('POST', 'tokens', { name: 'Site', description: 'For the site', permissions: [{ actions: ['content.read'], resources: ['content:*'] }] });
  await page.goto('/admin/system/tokens');
  await expect(page.getByRole('table')).toBeVisible();
  await checkA11y(page);
});

test('the drawer is accessible', async ({ page }) => {
  await page.goto('/admin/system/tokens');
  await page.getByRole('button', { name: 'New token' }).first().click();
  await expect(page.getByLabel('Name')).toBeVisible();
  await page.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'On a date' }).click();
  // A day is typed as anywhere else, in the words of the interface.
  const day = page.getByRole('dialog').getByLabel('Expires on');
  await day.fill('someday');
  await expect(page.getByText('This isn’t a valid date.')).toBeVisible();
  await day.fill('3 May 2099');
  await day.press('Tab');
  await expect(day).toHaveValue(/May.*2099/);
  await checkA11y(page);
});

test('a token ends on the day that is shown, or is not made', async ({ page, admin }) => {
  await page.goto('/admin/system/tokens');
  await page.getByRole('button', { name: 'New token' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('Website');
  await drawer.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'On a date' }).click();
  const day = drawer.getByLabel('Expires on');
  const create = drawer.getByRole('button', { name: 'Create', exact: true });
  await day.fill('3 May 2098');
  await expect(create).toBeEnabled();
  for (const text of ['3 May 209', '']) {
    await day.fill(text);
    await expect(create).toBeDisabled();
  }
  await day.fill('3 May 2099');
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('token')).toBeVisible();
  const [made] = await admin.api<Token[]>('GET', 'tokens');
  expect(made?.expires_at).toMatch(/^2099-05-03/);
});

test('a token gets another secret, and the old one works a while longer', async ({ page, admin, server }) => {
  const permissions = [{ actions: ['content.read'], resources: ['content:*'] }];
  const { token: old } = await admin.api<{ token: string }>('POST', 'tokens', { name: 'Website', permissions });
  const status = async (secret: string) =>
    (await fetch(`${server.url}/api/v1/workspaces/default/content/posts`, { headers: { Authorization: `Bearer ${secret}` } })).status;
  await page.goto('/admin/system/tokens');
  const row = page.getByRole('row', { name: /Website/ });
  const rotate = async (overlap: string) => {
    await row.getByRole('button', { name: 'Actions for Website' }).click();
    await page.getByRole('menuitem', { name: 'New secret' }).click();
    const drawer = page.getByRole('dialog', { name: 'New secret for Website' });
    await drawer.getByLabel(overlap).check();
    await checkA11y(page);
    await drawer.getByRole('button', { name: 'New secret' }).click();
    const secret = await page.getByTestId('token').innerText();
    await page.getByRole('button', { name: 'I’ve copied it' }).click();
    return secret;
  };
  const next = await rotate('One week');
  await expect(row).toContainText('Old secret works until');
  expect([await status(old), await status(next)]).toEqual([200, 200]);
  const last = await rotate('Not at all');
  await expect(row).not.toContainText('Old secret works until');
  expect([await status(old), await status(next), await status(last)]).toEqual([401, 401, 200]);
});
