import { checkA11y, expect, test } from './harness';

const viewer = { display_name: 'Vera View', email: 'vera@example.org', password: 'correct horse' };

test('a user is made, invited, changed and deleted', async ({ page, admin, another }) => {
  await page.goto('/admin/system/users');
  await expect(page.getByRole('heading', { level: 2, name: 'You’re the only user' })).toBeVisible();
  await page.getByRole('button', { name: 'New user' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Username').fill('gus');
  await drawer.getByLabel('Display name').fill('Gus Green');
  await drawer.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Editor' }).click();
  await drawer.getByRole('textbox', { name: 'Password' }).fill('short');
  await drawer.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(drawer.getByText('A password must have 8 to 256 bytes.')).toBeVisible();
  await drawer.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await expect(drawer.getByText('Strength: good')).toBeVisible();
  await drawer.getByRole('button', { name: 'Create', exact: true }).click();

  const invitation = drawer.getByLabel('Invitation');
  await expect(invitation).toHaveValue(/Username: gus\nPassword: correct horse/);
  await drawer.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Gus Green/ });
  await expect(row).toContainText('Editor');
  await expect(row).toContainText('Never');

  // Whoever was made can log in.
  const gus = await another('gus');
  await gus.goto('/admin/system/profile');
  await expect(gus.getByText('Logged in as gus')).toBeVisible();

  await row.getByRole('link', { name: 'Gus Green' }).click();
  await expect(page).toHaveURL(/user=/);
  await drawer.getByLabel('Email').fill('gus@example.org');
  await page.keyboard.press('Control+s');
  await expect(row).toContainText('gus@example.org');
  await drawer.getByRole('button', { name: 'Set new password' }).click();
  await drawer.getByRole('button', { name: 'Generate' }).click();
  await expect(drawer.getByText('Strength: strong')).toBeVisible();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByRole('button', { name: 'Save' })).toBeDisabled();

  // Messages stand beside the drawer, not over its buttons.
  await expect(page.getByRole('alert').last()).toBeVisible();
  await drawer.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Gus Green?' });
  await question.getByLabel('Type “gus” to confirm').fill('gus');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
  expect(await admin.api<unknown[]>('GET', 'users')).toHaveLength(1);
});

test('questions and shortcuts lie over a drawer that was drawn after them', async ({ page, admin }) => {
  await admin.api('POST', 'users', { username: 'vera', role: 'viewer', ...viewer });
  await page.goto('/admin/system/users');
  const drawer = page.getByRole('dialog', { name: 'Vera View' });
  const question = page.getByRole('dialog', { name: 'Delete Vera View?' });
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const openAll = async () => {
    await page.getByRole('link', { name: 'Vera View' }).click();
    await drawer.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toHaveCount(0);
    await expect(drawer.getByRole('button', { name: 'Delete' })).toBeFocused();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('keyboard shortcuts');
    await page.getByRole('option', { name: 'Keyboard shortcuts', exact: true }).click();
    await shortcuts.getByRole('button', { name: 'Close' }).click();
    await expect(shortcuts).toHaveCount(0);
    await drawer.getByRole('button', { name: 'Close' }).last().click();
    await expect(drawer).toHaveCount(0);
  };
  await openAll();

  // The screen, and the drawer with it, is drawn anew; the question and the shortcuts have stayed.
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await openAll();
});

test('Escape closes the question and not the drawer below it', async ({ page, admin }) => {
  await admin.api('POST', 'users', { username: 'vera', role: 'viewer', ...viewer });
  await page.goto('/admin/system/users');
  await page.getByRole('link', { name: 'Vera View' }).click();
  const drawer = page.getByRole('dialog', { name: 'Vera View' });
  await drawer.getByLabel('Email').fill('changed@example.org');
  for (let time = 0; time < 2; time += 1) {
    await drawer.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByLabel('Type “vera” to confirm')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(drawer.getByLabel('Email')).toHaveValue('changed@example.org');
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(drawer.getByLabel('Email')).toHaveValue('changed@example.org');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('keyboard shortcuts');
  await page.getByRole('option', { name: 'Keyboard shortcuts', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(drawer.getByLabel('Email')).toHaveValue('changed@example.org');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('search, roles and order are in the address', async ({ page, admin }) => {
  await admin.api('POST', 'users', { username: 'vera', role: 'viewer', ...viewer });
  await admin.api('POST', 'users', { username: 'emil', role: 'editor', password: 'correct horse' });
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/admin/api/users*', async (route) => held.then(() => route.continue()));
  await page.goto('/admin/system/users');
  // Screen readers hear once what is on its way.
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading: Users' })).toHaveCount(1);
  release();
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByText('Loading: Users')).toHaveCount(0);
  await page.getByLabel('Search users').fill('ver');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/q=ver/);
  await page.getByLabel('Search users').fill('nobody');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Editor' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/role=editor/);
  await page.goto('/admin/system/users?sort=-username');
  await expect(page.getByRole('row').nth(1)).toContainText('Vera View');
});

test('nobody hands out more than they have, nor deletes themselves', async ({ page, admin, another }) => {
  await admin.person('hanna', [
    { actions: ['users.*', 'roles.read'], resources: ['*'] },
    { actions: ['content.read'], resources: ['content:*'] },
  ]);
  const hanna = await another('hanna');
  await hanna.goto('/admin/system/users?user=~new');
  const drawer = hanna.getByRole('dialog');
  await drawer.getByLabel('Username').fill('another');
  await drawer.getByRole('combobox', { name: 'Role' }).click();
  await hanna.getByRole('option', { name: 'Viewer' }).click();
  await drawer.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await drawer.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(drawer.getByRole('alert')).toHaveText('You cannot grant permissions that you do not have.');

  await page.goto('/admin/system/users');
  await page.getByRole('button', { name: 'Actions for anna' }).click();
  await expect(page.getByRole('menuitem', { name: 'You can’t delete yourself.' })).toBeDisabled();
});

test('without the right there is a word about it', async ({ page, admin, become }) => {
  await admin.person('nils', [{ actions: ['content.read'], resources: ['content:*'] }]);
  await become('nils');
  await page.goto('/admin/system/users');
  await expect(page.getByText('You need the permission “users.read”', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'New user' })).toHaveCount(0);
});

test('a user can be made with the keyboard alone', async ({ page }) => {
  await page.goto('/admin/system/users');
  await expect(page.getByRole('table')).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.keyboard.type('kim');
  for (let field = 0; field < 3; field += 1) await page.keyboard.press('Tab');
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Role' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: 'Editor' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[role="option"][data-combobox-selected]')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('correct horse');
  await page.keyboard.press('Control+s');
  await expect(page.getByLabel('Invitation')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /kim/ })).toBeVisible();
});

test('the list is accessible', async ({ page, admin }) => {
  await admin.api('POST', 'users', { username: 'vera', role: 'viewer', ...viewer });
  await page.goto('/admin/system/users');
  await expect(page.getByRole('table')).toBeVisible();
  await checkA11y(page);
});

test('the drawer is accessible', async ({ page, admin }) => {
  const user = await admin.api<{ id: string }>('POST', 'users', { username: 'vera', role: 'viewer', ...viewer });
  await page.goto(`/admin/system/users?user=${user.id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Set new password' }).click();
  await checkA11y(page);
});
