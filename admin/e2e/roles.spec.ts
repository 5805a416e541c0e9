import { checkA11y, expect, test } from './harness';

interface Role {
  id: string;
  permissions: unknown[];
}

test('a role is made, says what it allows, and is deleted', async ({ page, admin }) => {
  await page.goto('/admin/system/roles');
  await page.getByRole('link', { name: 'New role' }).click();
  await page.getByLabel('Name').fill('Gardener');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const card = page.getByRole('region', { name: 'Rule 1' });
  await expect(card).toContainText('Can read entries of all types.');
  await expect(card).toContainText('“Edit” is enough to change or unpublish a public entry');
  const entries = card.getByRole('group', { name: 'Entries', exact: true });
  await entries.getByText('Edit', { exact: true }).click();
  await entries.getByRole('combobox', { name: 'Resources: Entries' }).click();
  await page.getByRole('option', { name: 'Posts' }).click();
  await page.keyboard.press('Escape');
  await card.getByLabel('Only their own').press('Space');
  await expect(card).toContainText('Can read and edit entries of Posts, only their own.');
  await expect(page.getByRole('row', { name: /Posts/ }).getByRole('img', { name: 'Partly, or with conditions' })).toHaveCount(2);
  await page.getByRole('button', { name: 'Create', exact: true }).click();

  await expect(page).toHaveURL(/roles\/gardener$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gardener');
  const roles = await admin.api<Role[]>('GET', 'roles');
  expect(roles.find((it) => it.id === 'gardener')?.permissions).toEqual([
    { effect: 'allow', actions: ['content.read', 'content.update'], resources: ['content:posts:*'], conditions: { own: true } },
  ]);

  // What the server says about it.
  const test = page.getByRole('button', { name: 'Check', exact: true });
  await test.click();
  await expect(page.getByText('Not allowed: no rule allows it.')).toBeVisible();
  await page.getByLabel('Their own entry or file').press('Space');
  await test.click();
  await expect(page.getByText('Allowed by rule 1:')).toBeVisible();
  await expect(page.getByText('also lets people edit public entries')).toBeVisible();

  await page.getByRole('link', { name: 'Roles' }).first().click();
  await page.getByRole('button', { name: 'Actions for Gardener' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: 'Gardener' })).toHaveCount(0);
});

test('built-in roles are duplicated, or changed and put back', async ({ page, admin }) => {
  await page.goto('/admin/system/roles/admin');
  await expect(page.getByText('This role allows everything. Its name and rules can’t be changed', { exact: false })).toBeVisible();
  await expect(page.getByLabel('Name')).not.toBeEditable();
  // All of it that can be changed.
  await expect(page.getByLabel('Require a second factor')).toBeEnabled();

  await page.goto('/admin/system/roles/viewer');
  await expect(page.getByLabel('Name')).not.toBeEditable();
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Copy of Viewer');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Copy of Viewer');

  await page.goto('/admin/system/roles/viewer');
  await page.getByRole('button', { name: 'Change this role' }).click();
  await page.getByLabel('Name').fill('Reader');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reader');
  await page.goto('/admin/system/roles');
  await page.getByRole('button', { name: 'Actions for Reader' }).click();
  await page.getByRole('menuitem', { name: 'Reset to original' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to original' }).click();
  await expect(page.getByRole('link', { name: 'Viewer', exact: true })).toBeVisible();
  expect((await admin.api<{ id: string }[]>('GET', 'roles')).map((it) => it.id)).toContain('viewer');
});

test('what the server refuses stands at its grant', async ({ page, admin, become }) => {
  await admin.person('rosa', [
    { actions: ['roles.*'], resources: ['*'] },
    { actions: ['content.read'], resources: ['content:*'] },
  ]);
  await become('rosa');
  await page.goto('/admin/system/roles/~new');
  await page.getByLabel('Name').fill('Too much');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const card = page.getByRole('region', { name: 'Rule 1' });
  await card.getByRole('group', { name: 'Media', exact: true }).getByText('Upload', { exact: true }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(card.getByRole('alert')).toBeVisible();
  await card.getByRole('button', { name: 'Patterns' }).click();
  await expect(card.getByText('media.upload', { exact: true })).toBeVisible();
  // A page with changes is not left by accident.
  await page.getByRole('link', { name: 'Roles' }).first().click();
  await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/system\/roles$/);
});

test('a role that is used stays, and one that is not there is not found', async ({ page, admin }) => {
  await admin.person('used', [{ actions: ['content.read'], resources: ['content:*'] }]);
  await page.goto('/admin/system/roles');
  await page.getByRole('button', { name: /Actions for .*used/ }).click();
  await expect(page.getByRole('menuitem', { name: /Delete/ })).toBeDisabled();
  await page.goto('/admin/system/roles/nope');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found');
});

test('grants are put together with the keyboard alone', async ({ page }) => {
  await page.goto('/admin/system/roles');
  await expect(page.getByRole('table')).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByLabel('Name')).toBeVisible();
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Reader');
  await page.getByRole('button', { name: 'Add rule' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Can read entries of all types/ })).toBeFocused();
  const remove = page.getByRole('button', { name: 'Actions for rule 1' });
  await page.keyboard.press('Tab');
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Rule 2' })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page).toHaveURL(/roles\/reader$/);
});

test('access can be tested from the list', async ({ page }) => {
  await page.goto('/admin/system/roles');
  await page.getByRole('button', { name: 'Check access' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Who' }).click();
  await page.getByRole('option', { name: 'A role' }).click();
  await dialog.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Author' }).click();
  await dialog.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(dialog.getByText('Not allowed: no rule allows it.')).toBeVisible();
});

test('the list is accessible', async ({ page }) => {
  await page.goto('/admin/system/roles');
  await expect(page.getByRole('table')).toBeVisible();
  await checkA11y(page);
});

test('the editor is accessible', async ({ page }) => {
  await page.goto('/admin/system/roles/~new?from=author');
  await page.getByRole('button', { name: /only their own/ }).click();
  await page.getByRole('button', { name: 'Installation' }).click();
  await page.getByRole('button', { name: 'Patterns' }).click();
  await checkA11y(page);
});

test('the roles screen says when it is not for somebody', async ({ page, admin, become }) => {
  await admin.person('nils', [{ actions: ['content.read'], resources: ['content:*'] }]);
  await become('nils');
  await page.goto('/admin/system/roles');
  await expect(page.getByText('You need the permission “roles.read”', { exact: false })).toBeVisible();
});
