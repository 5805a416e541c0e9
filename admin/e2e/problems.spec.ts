import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkA11y, expect, type Server, test } from './harness';

test.use({ sample: false });

const NOTES = { label: 'Notes', fields: { title: { type: 'text' }, text: { type: 'textarea' } } };
const GOOD = '{\n  "title": "A note",\n  "status": "published",\n  "data": { "text": "Hello" }\n}\n';

/** A file of the workspace. */
function file(server: Server, path: string): string {
  return join(server.folder, 'workspaces/default', path);
}

test.beforeEach(async ({ server, admin }) => {
  await admin.api('POST', 'content-types', { name: 'notes', ...NOTES });
  mkdirSync(file(server, 'content/notes'), { recursive: true });
  writeFileSync(file(server, 'content/notes/a.json'), GOOD);
  // Only what was read once has a good version.
  await expect.poll(async () => (await admin.api<unknown[]>('GET', 'content/notes')).length).toBe(1);
});

test('a broken file shows at once, with its place, and its last good version can be put back', async ({ page, server }) => {
  await page.goto('/admin/w/default/problems');
  await expect(page.getByRole('heading', { name: 'No problems' })).toBeVisible();
  const path = file(server, 'content/notes/a.json');
  writeFileSync(path, GOOD.replace('"A note",', '"A note"'));
  const problem = page.getByRole('article', { name: 'The file isn’t valid JSON' });
  await expect(problem).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 error' })).toBeVisible();
  await expect(problem.getByText('workspaces/default/content/notes/a.json')).toBeVisible();
  await expect(problem.getByText('Line 3, here:')).toBeAttached();
  await expect(problem.getByRole('link', { name: 'Open entry' })).toHaveAttribute('href', '/admin/w/default/content/notes/a');
  await problem.getByRole('button', { name: 'Restore last good version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore last good version' }).click();
  await expect(page.getByRole('heading', { name: 'No problems' })).toBeVisible();
  await expect(page.getByText(/keeps the damaged file in \.recto\/lastgood/)).toBeVisible();
  expect(readFileSync(path, 'utf8')).toBe(GOOD);
});

test('a damaged file is told in its entry, and restored from there', async ({ page, server, admin, become }) => {
  const path = file(server, 'content/notes/a.json');
  await page.goto('/admin/w/default/content/notes/a');
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.fill('Being written');
  writeFileSync(path, GOOD.replace('"A note",', '"A note"'));
  const notice = page.getByRole('status').filter({ hasText: 'This file was damaged outside Recto.' });
  await expect(notice).toBeVisible();
  await expect(text).not.toBeEditable();
  await expect(notice.getByText(/line 3/)).toBeHidden();
  await notice.getByText('Details').click();
  await expect(notice.getByText(/line 3/)).toBeVisible();
  await checkA11y(page);
  await notice.getByRole('button', { name: 'Restore this version' }).click();
  await expect(notice).toHaveCount(0);
  expect(readFileSync(path, 'utf8')).toBe(GOOD);
  // What was being written is still there, and can be saved.
  await expect(text).toHaveValue('Being written');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await admin.api<{ data: object }>('GET', 'content/notes/a')).data).toEqual({ text: 'Being written' });

  await admin.person('walt', [{ effect: 'allow', actions: ['content.*'], resources: ['content:*'] }]);
  writeFileSync(path, '{');
  await expect.poll(async () => (await admin.api<unknown[]>('GET', 'problems?workspace=default')).length).toBe(1);
  await become('walt');
  await page.goto('/admin/w/default/content/notes/a');
  await expect(notice).toContainText('settings.update');
  await expect(notice.getByRole('button')).toHaveCount(0);
});

test('a problem can be left as it is, and told of again, by keyboard', async ({ page, server }) => {
  writeFileSync(file(server, 'content/notes/a.json'), GOOD.replace('published', 'sleeping'));
  await page.goto('/admin/w/default/problems');
  const problem = page.getByRole('article', { name: 'This status doesn’t exist' });
  await problem.getByRole('button', { name: 'Ignore' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'No problems' })).toBeVisible();
  await page.getByLabel('Show ignored problems (1)').press('Space');
  await expect(page).toHaveURL(/accepted=1/);
  await problem.getByRole('button', { name: 'Stop ignoring' }).press('Enter');
  await expect(problem.getByRole('button', { name: 'Ignore' })).toBeVisible();
});

test('a misspelt key is told with what it may have meant', async ({ page, server }) => {
  writeFileSync(file(server, 'content/notes/a.json'), GOOD.replace('"status"', '"stauts"'));
  await page.goto('/admin/w/default/problems');
  const problem = page.getByRole('article', { name: 'Unknown key' });
  await expect(problem.getByText('Did you mean status?')).toBeVisible();
  await expect(problem.getByText('Line 3, here:')).toBeAttached();
  await expect(problem.getByText('serves the file without this key')).toBeVisible();
});

test('values are judged when asked for', async ({ page, server, admin }) => {
  await admin.api('PUT', 'content-types/notes', { fields: { ...NOTES.fields, pages: { type: 'number' } } });
  writeFileSync(file(server, 'content/notes/a.json'), GOOD.replace('"text": "Hello"', '"pages": "many"'));
  await page.goto('/admin/w/default/problems');
  await page.getByRole('button', { name: 'Check all values' }).click();
  const problem = page.getByRole('article', { name: 'A value doesn’t match its field' });
  await expect(problem.getByText('data.pages', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 warning' })).toBeVisible();
});

test('who may not read the settings is told so, and who may not change them only looks', async ({ page, admin, server, become }) => {
  await admin.person('eve', [{ effect: 'allow', actions: ['content.read', 'profile.read'], resources: ['*'] }]);
  await admin.person('rita', [{ effect: 'allow', actions: ['content.read', 'profile.read', 'settings.read'], resources: ['*'] }]);
  writeFileSync(file(server, 'content/notes/a.json'), GOOD.replace('published', 'sleeping'));
  await become('eve');
  await page.goto('/admin/w/default/problems');
  await expect(page.getByText('settings.read')).toBeVisible();
  await become('rita');
  await page.goto('/admin/w/default/problems');
  await expect(page.getByRole('article')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ignore' })).toHaveCount(0);
});

test('the screen is accessible, with problems and without', async ({ page, server }) => {
  await page.goto('/admin/w/default/problems');
  await expect(page.getByRole('heading', { name: 'No problems' })).toBeVisible();
  await checkA11y(page);
  writeFileSync(file(server, 'content/notes/a.json'), GOOD.replace('"A note",', '"A note"'));
  writeFileSync(file(server, 'content/notes/b.json'), `\uFEFF${GOOD}`);
  await expect(page.getByRole('article')).toHaveCount(2);
  await checkA11y(page);
});
