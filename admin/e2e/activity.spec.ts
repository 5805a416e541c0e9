import { readFileSync } from 'node:fs';
import { checkA11y, expect, test } from './harness';

test('what happened is told, found and saved', async ({ page, admin }) => {
  const wool = await admin.api<{ id: string }>('POST', 'content/topics', { title: 'Wool', status: 'published' });
  await admin.api('POST', 'content/topics', { title: 'Straw' });
  await admin.api('DELETE', `content/topics/${wool.id}`);
  await page.goto('/admin/w/default/activity');
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await expect(row('anna moved “Wool” from Topics to the trash')).toBeVisible();
  await expect(row('anna published “Wool” in Topics')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await row('anna created “Straw”').getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('"type": "content.created"');

  // The filters stand in the address.
  await page.getByRole('searchbox').fill('wool');
  await expect(row('Straw')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Event' }).fill('trash');
  await page.getByRole('option', { name: 'Moved to trash' }).click();
  await expect(page.getByText('1 event', { exact: true }).first()).toBeVisible();
  await expect(page).toHaveURL(/kind=content\.deleted/);
  await page.reload();
  await expect(page.getByText('1 event', { exact: true }).first()).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8').trim().split('\n');
  expect(lines.map((it) => JSON.parse(it).type)).toEqual(['content.deleted']);

  // A filter of the page's own.
  await page.goto('/admin/w/default/activity?type=topics&source=disk');
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row('anna created “Straw”').getByRole('link', { name: 'Straw' }).click();
  await expect(page).toHaveURL(/\/content\/topics\//);
});

test('what comes meanwhile is counted, and shown when asked', async ({ page, admin }) => {
  await page.goto('/admin/w/default/activity');
  await expect(page.getByText('No activity in this workspace yet')).toBeVisible();
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  await page.getByRole('button', { name: '1 new event', exact: true }).click();
  await expect(page.getByText('anna created “Wool” in Topics')).toBeVisible();
  await expect(page.getByRole('button', { name: '1 new event', exact: true })).toHaveCount(0);
  await admin.api('POST', 'content/topics', { title: 'Straw' });
  await expect(page.getByRole('button', { name: '1 new event', exact: true })).toBeVisible();
  await expect(page.getByText('Straw')).toHaveCount(0);
});

test('the whole installation is another matter', async ({ page, admin }) => {
  await admin.api('POST', 'workspaces', { label: 'Shop' });
  await page.goto('/admin/w/default/activity');
  await expect(page.getByText('No activity in this workspace yet')).toBeVisible();
  await page.getByRole('button', { name: 'Show whole installation' }).click();
  await expect(page).toHaveURL(/scope=all/);
  await expect(page.getByText('anna created the workspace “Shop”')).toBeVisible();
  await expect(page.getByText('“anna” set up the installation')).toBeVisible();
});

test('all of it goes by keyboard', async ({ page, admin }) => {
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  await page.goto('/admin/w/default/activity');
  const details = page.getByRole('button', { name: 'Details' }).first();
  await details.focus();
  await page.keyboard.press('Enter');
  await expect(details).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('combobox', { name: 'Level' }).focus();
  await page.keyboard.press('Enter');
  // Arrows move the selection once there is a list.
  await expect(page.getByRole('option', { name: 'Any', exact: true })).toBeVisible();
  // The list sets the selection to the current value in a timer, which runs before a later one does.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
  const chosen = page.locator('[role="option"][data-combobox-selected]');
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(chosen).not.toHaveText('Any');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/level=/);
});

test('those without the right are told which it is', async ({ page, admin, become }) => {
  await admin.person('otto', [{ effect: 'allow', actions: ['content.read'], resources: ['content:*'] }]);
  await become('otto');
  await page.goto('/admin/w/default/activity');
  await expect(page.getByText('You need the permission “activity.read”.')).toBeVisible();
});

test('everybody can use it', async ({ page, admin }) => {
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  await page.goto('/admin/w/default/activity?scope=all');
  await page.getByRole('button', { name: 'Details' }).first().click();
  await expect(page.getByRole('region', { name: 'Details' })).toBeVisible();
  await checkA11y(page);
  await page.goto('/admin/w/default/activity?q=nothing');
  await expect(page.getByText('No results')).toBeVisible();
  await checkA11y(page);
});
