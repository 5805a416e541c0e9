import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkA11y, expect, test } from './harness';

test('a workspace at a glance', async ({ page, admin }) => {
  const draft = await admin.api<{ id: string }>('POST', 'content/notes', { title: 'Ask the neighbours' });
  await admin.api('POST', 'content/posts', {
    title: 'Before the fair', status: 'scheduled', published_at: '2040-01-01T08:00:00Z', excerpt: 'Soon.', body: 'Soon.',
    category: '01jndj0mt09kzt19',
  });
  await page.goto('/admin/w/default');
  await expect(page).toHaveTitle('Dashboard · Recto');

  const drafts = page.getByRole('region', { name: 'Your unpublished entries' });
  await expect(drafts.getByRole('link', { name: /Ask the neighbours/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Scheduled' }).getByRole('link', { name: /Before the fair/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recently edited' }).getByRole('listitem').first()).toContainText('Before the fair');
  await expect(page.getByRole('region', { name: 'Recent activity' })).toContainText('Ask the neighbours');
  await expect(page.getByRole('region', { name: 'Storage' })).toContainText('content and media');
  await expect(page.getByRole('region', { name: 'Content' }).getByRole('link', { name: /^Notes/ })).toContainText('3 entries');
  await checkA11y(page);

  await drafts.getByRole('link', { name: /Ask the neighbours/ }).click();
  await expect(page).toHaveURL(new RegExp(`/content/notes/${draft.id}$`));
});

test('the guide is ticked by what was really done, and can be put away', async ({ page, admin }) => {
  await page.goto('/admin/w/default');
  const guide = page.getByRole('region', { name: 'Getting started' });
  await expect(guide).toContainText('0 of 7 done');
  await admin.api('POST', 'content/notes', { title: 'A first one', status: 'published' });
  await expect(guide).toContainText('2 of 7 done');

  await guide.getByRole('button', { name: 'Hide this guide' }).click();
  await expect(guide).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(guide).toBeVisible();
  await guide.getByRole('button', { name: 'Hide this guide' }).click();
  await expect.poll(async () => (await admin.api<{ preferences: { guideDone?: unknown } }>('GET', 'me')).preferences.guideDone).toEqual({
    default: true,
  });
  await page.reload();
  await expect(page.getByRole('region', { name: 'Recently edited' })).toBeVisible();
  await expect(guide).toHaveCount(0);
});

test('the samples go in one step, but for what somebody uses', async ({ page, admin }) => {
  await admin.api('POST', 'content/topics', { title: 'My own' });
  await page.goto('/admin/w/default');
  const samples = page.getByRole('region', { name: 'Sample content' });
  await expect(samples).toBeVisible();
  await checkA11y(page);
  await samples.getByRole('button', { name: 'Remove all samples' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove all samples?' });
  await expect(dialog).toContainText('What you have edited or use in your own content stays.');
  await dialog.getByRole('button', { name: 'Remove all samples' }).click();
  await expect(page.getByText('The samples are removed. What you edited or use stays.')).toBeVisible();
  await expect(samples).toHaveCount(0);
  const content = page.getByRole('region', { name: 'Content', exact: true });
  await expect(content.getByRole('link', { name: /^Topics/ })).toContainText('1 entry');
  await expect(content.getByRole('link', { name: /^Posts/ })).toHaveCount(0);
  expect((await admin.api<{ name: string }[]>('GET', 'content-types')).map((it) => it.name)).toEqual(['topics']);
});

test('a broken file is told at once', async ({ page, server }) => {
  await page.goto('/admin/w/default');
  await expect(page.getByRole('region', { name: 'Files on disk' })).toContainText('All files are fine.');
  writeFileSync(join(server.folder, 'workspaces/default/content/notes/broken.json'), '{ "title": ');
  const problems = page.getByRole('region', { name: '1 problem with files on disk' });
  await expect(problems.getByRole('link', { name: /content\/notes\/broken\.json/ })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: /Problems.*1 problem/ })).toBeVisible();
  await checkA11y(page);
});

test('something new is two keys away', async ({ page }) => {
  await page.goto('/admin/w/default');
  await page.getByRole('button', { name: 'New', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Posts' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Posts' }).press('Enter');
  await expect(page).toHaveURL(/\/content\/posts\/~new/);
});

test('whoever may do little sees little', async ({ page, admin, become }) => {
  await admin.person('lea', [{ effect: 'allow', actions: ['content.read', 'dashboard.read'], resources: ['content:notes:*', 'dashboard:*'] }]);
  await become('lea');
  await page.goto('/admin/w/default');
  await expect(page.getByRole('region', { name: 'Content' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'New', exact: true })).toHaveCount(0);
  for (const name of ['Storage', 'Recent activity', 'Files on disk']) await expect(page.getByRole('region', { name })).toHaveCount(0);
});

test('whoever may not see it is told why', async ({ page, admin, become }) => {
  await admin.person('mia', [{ effect: 'allow', actions: ['content.read'], resources: ['content:notes:*'] }]);
  await become('mia');
  await page.goto('/admin/w/default');
  await expect(page.getByText('dashboard.read')).toBeVisible();
});

test.describe('an empty workspace', () => {
  test.use({ sample: false });

  test('shows where to begin', async ({ page }) => {
    await page.goto('/admin/w/default');
    await expect(page.getByRole('region', { name: 'Getting started' })).toContainText('0 of 7 done');
    await expect(page.getByRole('heading', { name: 'No content types yet' })).toBeVisible();
    await checkA11y(page);
    await page.getByRole('link', { name: /Create a content type/ }).click();
    await expect(page).toHaveURL(/\/w\/default\/types$/);
  });
});
