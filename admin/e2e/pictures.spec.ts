/**
 * Opens every screen on the sample content, as somebody would who looks around. On the way,
 * `npm run pictures` takes the pictures of docs/INTERFACE.md; those of changes are taken by
 * `release.spec.ts`, and no other test takes one.
 */
import { expect, picture, resizeWindow, test } from './harness';

/** Address below the workspace or the system, heading, and the name of the picture if there is one. */
const SCREENS: readonly (readonly [address: string, heading: string | RegExp, picture?: string])[] = [
  ['w/default', 'Dashboard', 'dashboard'],
  ['w/default/content/posts', 'Posts', 'list'],
  ['w/default/content/posts/01k4g6ckw0z7b0f2', 'Mending a jumper in the open', 'entry'],
  ['w/default/content/start/start?locale=de&compare=en', 'Field Notes', 'translate'],
  ['w/default/content/pages/01jng649m0mj63de', /./],
  ['w/default/content/start/start', /./],
  ['w/default/content/posts/~new', /./],
  ['w/default/content/posts/01k4g6ckw0z7b0f2/history', /./],
  ['w/default/changes', 'Releases'],
  ['w/default/changes?tab=calendar', 'Releases'],
  ['w/default/changes/pending', 'Your drafts'],
  ['w/default/types', 'Content types'],
  ['w/default/types/posts', 'Posts', 'type'],
  ['w/default/types/~new', /./],
  ['w/default/media', 'Media', 'media'],
  ['w/default/trash', 'Trash'],
  ['w/default/api?type=posts', /./, 'explorer'],
  ['w/default/problems', 'Problems'],
  ['w/default/activity', 'Activity'],
  ['system/users', 'Users'],
  ['system/roles', 'Roles'],
  ['system/roles/editor', 'Editor', 'role'],
  ['system/tokens', 'API tokens'],
  ['system/webhooks', 'Webhooks'],
  ['system/backups', 'Backups'],
  ['system/workspaces', 'Workspaces'],
  ['system/settings', 'Settings'],
  ['system/profile', 'Your profile'],
];

test('every screen opens', async ({ page, admin }) => {
  test.setTimeout(180_000);
  await admin.api('PUT', 'workspaces/default', { label: 'Field Notes' });
  for (const [address, heading, name] of SCREENS) {
    // A text that its translation has not followed yet.
    if (name === 'translate') await admin.api('PATCH', 'content/start/start', { locale: 'en', data: { claim: 'On walking, bread and mending' } });
    await page.goto(`/admin/${address}`);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByText('Something went wrong')).toHaveCount(0);
    if (!name) continue;
    await page.waitForLoadState('load');
    await picture(page, name);
  }
});

test('lists and entries fit a phone', async ({ page }) => {
  await resizeWindow(page, { width: 390, height: 844 });
  await page.goto('/admin/w/default/content/posts');
  await expect(page.getByRole('link', { name: 'Mending a jumper in the open' })).toBeVisible();
  await picture(page, 'phone-list', { phone: true });
  await page.goto('/admin/w/default/content/posts/01k4g6ckw0z7b0f2');
  await expect(page.locator('#field-title')).toHaveValue('Mending a jumper in the open');
  await picture(page, 'phone-entry', { phone: true });
});

test.describe('before the first user', () => {
  test.use({ isSetUp: false });

  test('the setup page opens', async ({ page, server }) => {
    await page.goto(`/admin/setup?token=${server.setupToken}`);
    await expect(page.getByLabel('Workspace name')).toBeFocused();
    await picture(page, 'setup');
  });
});
