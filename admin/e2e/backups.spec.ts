import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkA11y, expect, test } from './harness';
import { makeScratch } from './server';

interface Backups {
  backups: { name: string; note: string; parts: string[]; secrets: boolean }[];
}

test('a backup is made, looked into and restored', async ({ page, admin }) => {
  await page.goto('/admin/system/backups');
  await expect(page.getByText('No backups yet')).toBeVisible();
  await page.getByRole('button', { name: 'New backup' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('before the change');
  // Without secrets it says who everybody is all the same.
  await expect(dialog.getByRole('note')).toContainText('This backup contains personal data');
  await dialog.getByRole('checkbox', { name: 'Users' }).uncheck();
  await expect(dialog.getByRole('note')).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: 'Users' }).check();
  await dialog.getByRole('checkbox', { name: 'Earlier versions' }).uncheck();
  await dialog.getByRole('button', { name: 'Create backup' }).click();
  await expect(dialog).toHaveCount(0);
  const [backup] = (await admin.api<Backups>('GET', 'backups')).backups;
  expect(backup).toMatchObject({ note: 'before the change', secrets: false });
  expect(backup?.parts).not.toContain('revisions');
  const name = backup?.name ?? '';

  // One entry is new since, one was changed.
  const wool = await admin.api<{ id: string }>('POST', 'content/topics', { title: 'Wool' });
  const [post] = await admin.api<{ id: string; title: string }[]>('GET', 'content/posts?limit=1');
  await admin.api('PATCH', `content/posts/${post?.id}`, { title: 'Another title' });

  await page.getByRole('button', { name, exact: true }).click();
  await expect(dialog.getByText('Complete and unchanged')).toBeVisible();
  await dialog.getByRole('button', { name: 'Restore…' }).click();
  await dialog.getByRole('radio', { name: 'Replace them with the backup' }).check();
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  const content = dialog.getByRole('row', { name: /^Content \d/ });
  await expect(content.getByRole('cell').nth(1)).toHaveText('1');
  await expect(content.getByRole('cell').nth(2)).toHaveText('1');
  // Nothing happened yet.
  expect((await admin.api<{ title: string }>('GET', `content/posts/${post?.id}`)).title).toBe('Another title');
  const restore = dialog.getByRole('button', { name: 'Restore now' });
  await expect(restore).toBeDisabled();
  await dialog.getByLabel(/to confirm/).fill(name.replace('.zip', ''));
  await restore.click();
  await expect(dialog.getByText('Backup restored')).toBeVisible();
  expect((await admin.api<{ title: string }>('GET', `content/posts/${post?.id}`)).title).toBe(post?.title);
  await expect(admin.api('GET', `content/topics/${wool.id}`)).rejects.toThrow('404');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('Personal data').first()).toBeVisible();
  // What was there before is a backup, too.
  await expect(page.getByRole('row')).toHaveCount(3);
});

test('an archive is sent, and one that cannot be trusted is refused', async ({ page, admin }) => {
  const { name } = await admin.api<{ name: string }>('POST', 'backups', { parts: ['content'] });
  await page.goto('/admin/system/backups');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download' }).click();
  const path = await (await download).path();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No backups yet')).toBeVisible();

  await page.getByRole('button', { name: 'Upload' }).click();
  const dialog = page.getByRole('dialog');
  const input = dialog.locator('input[type=file]');
  await input.setInputFiles({ name: 'wrong.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive at all') });
  await expect(dialog.getByRole('alert')).toBeVisible();
  await input.setInputFiles({ name: 'from-elsewhere.zip', mimeType: 'application/zip', buffer: await import('node:fs').then((fs) => fs.readFileSync(path)) });
  await expect(dialog.getByText('Complete and unchanged')).toBeVisible();
  expect((await admin.api<Backups>('GET', 'backups')).backups.map((it) => it.name)).toEqual(['from-elsewhere.zip']);
});

test('an upload can be given up', async ({ page }) => {
  await page.route('**/admin/api/backups/upload', async () => {
    // Never answered: it ends when the page gives up.
  });
  await page.goto('/admin/system/backups');
  await page.getByRole('button', { name: 'Upload' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles({ name: 'big.zip', mimeType: 'application/zip', buffer: Buffer.alloc(1000) });
  await expect(dialog.getByRole('progressbar', { name: 'Uploading big.zip' })).toBeAttached();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByText('Drop an archive here, or click to choose one')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('a backup is made and left by keyboard', async ({ page, admin }) => {
  await page.goto('/admin/system/backups');
  await page.getByRole('button', { name: 'New backup' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Note')).toBeFocused();
  await page.keyboard.type('by hand');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const [backup] = (await admin.api<Backups>('GET', 'backups')).backups;
  expect(backup?.note).toBe('by hand');
  await page.getByRole('button', { name: backup?.name ?? '', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: backup?.name ?? '', exact: true })).toBeFocused();
});

test('those who may only look make and restore nothing', async ({ page, admin, become }) => {
  await admin.api('POST', 'backups', { secrets: true });
  await admin.person('otto', [{ effect: 'allow', actions: ['backups.read', 'content.read'], resources: ['*'] }]);
  await become('otto');
  await page.goto('/admin/system/backups');
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: /administrators only/ })).toBeDisabled();
  await expect(page.getByRole('menuitem', { name: 'Restore…' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New backup' })).toHaveCount(0);
  await admin.person('kim', [{ effect: 'allow', actions: ['content.read'], resources: ['*'] }]);
  await become('kim');
  await page.goto('/admin/system/backups');
  await expect(page.getByText('You need the permission “backups.read”.')).toBeVisible();
});

test('everybody can use it', async ({ page, admin }) => {
  const { name } = await admin.api<{ name: string }>('POST', 'backups', { note: 'before the move', secrets: true });
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  await page.goto('/admin/system/backups');
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  await checkA11y(page);
  await page.getByRole('button', { name: 'New backup' }).click();
  await checkA11y(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Complete and unchanged')).toBeVisible();
  await checkA11y(page);
  await dialog.getByRole('button', { name: 'Restore…' }).click();
  await dialog.getByRole('radio', { name: 'Replace them with the backup' }).check();
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await expect(dialog.getByRole('button', { name: 'Restore now' })).toBeVisible();
  await checkA11y(page);
});

test.describe('scheduled backups', () => {
  test.use({
    serve: async ({}, use) => {
      const target = join(makeScratch(), 'target');
      mkdirSync(target);
      await use(['--backups-target', target, '--backups-at', '03:30']);
      rmSync(join(target, '..'), { recursive: true });
    },
  });

  test('say where they are, when the last one was made, and when the next one is due', async ({ page, serve }) => {
    await page.goto('/admin/system/backups');
    const card = page.getByRole('region', { name: 'Scheduled backups' });
    await expect(card).toContainText(`Every day at 03:30 UTC to ${serve[1]}`);
    // The first one is made when the server starts.
    await expect(async () => {
      await page.reload();
      await expect(card.locator('dd').first()).toContainText(/now|second|minute/, { timeout: 2_000 });
    }).toPass();
    await expect(card.locator('dd').last()).toContainText(/hour|tomorrow|minute|second|now/);
    await expect(card.getByRole('alert')).toHaveCount(0);
    await checkA11y(page);
  });
});

test.describe('scheduled backups to a place that is a file', () => {
  test.use({
    serve: async ({}, use) => {
      const target = join(makeScratch(), 'target');
      writeFileSync(target, '');
      await use(['--backups-target', target]);
      rmSync(join(target, '..'), { recursive: true });
    },
  });

  test('say that they failed, and why', async ({ page }) => {
    await page.goto('/admin/system/backups');
    const card = page.getByRole('region', { name: 'Scheduled backups' });
    await expect(async () => {
      await page.reload();
      await expect(card.getByRole('alert')).toContainText('The last scheduled backup failed', { timeout: 2_000 });
    }).toPass();
    await expect(card.locator('dd').first()).toHaveText('None yet');
    await checkA11y(page);
  });
});
