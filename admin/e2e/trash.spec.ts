import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, interceptRequests, test } from './harness';

const TRASH = '/admin/w/default/trash';

interface Entry {
  id: string;
  slug: string;
  title: string;
}

/** Makes notes and deletes them again, the last one first in the trash. */
async function deleted(admin: Admin, ...titles: string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const title of titles) {
    const entry = await admin.api<Entry & Record<string, unknown>>('POST', 'content/notes', { title, data: { text: title } });
    await admin.api('DELETE', `content/notes/${entry.id}`);
    entries.push(entry);
  }
  return entries;
}

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

test('a deleted entry is found and brought back', async ({ page, admin }) => {
  const [first] = await deleted(admin, 'First thought', 'Second thought');
  await page.goto(TRASH);
  await expect(row(page, 'Notes')).toContainText('2');
  await page.getByRole('table').getByRole('link', { name: 'Notes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Trash: Notes' })).toBeVisible();
  await expect(row(page, 'First thought')).toContainText('by anna');

  await page.getByRole('searchbox').fill('first');
  await expect(row(page, 'Second thought')).toHaveCount(0);
  await page.getByRole('button', { name: 'Restore First thought' }).click();
  await expect(page.getByText('“First thought” restored')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  expect(await admin.api('GET', `content/notes/${first?.id}`)).toMatchObject({ title: 'First thought' });

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'First thought')).toBeVisible();
});

test('a slug that was taken meanwhile is explained', async ({ page, admin }) => {
  const [gone] = await deleted(admin, 'Same name');
  await admin.api('POST', 'content/notes', { title: 'Same name', slug: gone?.slug, data: { text: 'x' } });
  await page.goto(`${TRASH}?type=notes`);
  await page.getByRole('button', { name: 'Restore Same name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restored with a new slug' });
  await expect(dialog).toContainText(gone?.slug ?? '?');
  await expect(dialog).toContainText(`${gone?.slug}-2`);
  await dialog.getByRole('link', { name: 'Same name' }).click();
  await expect(page).toHaveURL(new RegExp(`content/notes/${gone?.id}`));
});

test('a single page whose place is taken stays where it is', async ({ page, admin }) => {
  await admin.api('DELETE', 'content/start/start');
  await page.goto(`${TRASH}?type=start`);
  await expect(page.getByRole('button', { name: /^Restore/ })).toBeVisible();
  const [trashed] = await admin.api<{ title: string; data: Record<string, unknown> }[]>('GET', 'trash/start');
  await admin.api('POST', 'content/start', { title: trashed?.title, data: trashed?.data });
  // What was deleted has another id in the trash from then on.
  await page.reload();
  await page.getByRole('button', { name: /^Restore/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Some entries couldn’t be processed' });
  await expect(dialog.getByText('A single page can have only one entry.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Open Start page' })).toBeVisible();
});

test('several are deleted for ever, and the rest with them when its name is typed', async ({ page, admin }) => {
  await deleted(admin, 'One', 'Two', 'Three', 'Four');
  await page.goto(`${TRASH}?type=notes`);
  await page.getByRole('checkbox', { name: 'Select Two' }).check();
  await page.getByRole('checkbox', { name: 'Select Four' }).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: '3 selected' });
  await bar.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('3 entries deleted permanently')).toBeVisible();
  await expect(row(page, 'One')).toBeVisible();

  await page.getByRole('button', { name: 'Empty trash: Notes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Empty the trash of Notes?' });
  await expect(dialog.getByRole('button', { name: 'Empty trash' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('Notes');
  await dialog.getByRole('button', { name: 'Empty trash' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing from Notes in the trash' })).toBeVisible();
});

test('everything goes by keyboard', async ({ page, admin }) => {
  await deleted(admin, 'Alpha', 'Beta');
  await page.goto(TRASH);
  await page.getByRole('table').getByRole('link', { name: 'Notes' }).press('Enter');
  await page.getByRole('searchbox').focus();
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('Tab');
  await expect(page.getByRole('checkbox', { name: 'Select Beta' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Restore' }).press('Enter');
  await expect(page.getByText('“Beta” restored')).toBeVisible();
  await page.getByRole('button', { name: 'More actions for Alpha' }).press('Enter');
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Delete permanently' }).press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing from Notes in the trash' })).toBeVisible();
  // The keyboard is where the table was, not at the beginning of the page.
  await expect(page.locator('main :focus')).toHaveCount(1);
});

test('a user who has moved on keeps the focus', async ({ page, admin }) => {
  await deleted(admin, 'Alpha', 'Beta');
  await page.goto(`${TRASH}?type=notes`);
  await expect(row(page, 'Alpha')).toBeVisible();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await interceptRequests(page, /\/admin\/api\/trash\/notes\?/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Restore Beta' }).click();
  await expect(page.getByText('“Beta” restored')).toBeVisible();
  const more = page.getByRole('button', { name: 'More actions for Alpha' });
  await more.focus();
  release();
  await expect(row(page, 'Beta')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Restore Alpha' })).toBeEnabled();
  await expect(more).toBeFocused();
});

test('rights decide what is offered', async ({ page, admin, become }) => {
  await deleted(admin, 'Kept');
  await admin.person('rita', [{ effect: 'allow', actions: ['content.read', 'content.restore'], resources: ['content:*'] }]);
  await admin.person('nora', [{ effect: 'allow', actions: ['content.read'], resources: ['content:*'] }]);
  await become('rita');
  await page.goto(`${TRASH}?type=notes`);
  await expect(page.getByRole('button', { name: 'Restore Kept' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'More actions for Kept' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Empty/ })).toHaveCount(0);
  await become('nora');
  await page.goto(TRASH);
  await expect(page.getByText('You need the permission “content.restore”.')).toBeVisible();
});

test('the trash can be used by everybody', async ({ page, admin }) => {
  await deleted(admin, 'Alpha', 'Beta');
  await admin.api('DELETE', 'content/start/start');
  await admin.api('PUT', 'settings', { trash_retention_days: 30 });
  await page.goto(TRASH);
  await expect(page.getByText('Recto deletes entries permanently after 30 days in the trash.')).toBeVisible();
  await expect(row(page, 'Start page')).toBeVisible();
  await checkA11y(page);
  await page.goto(`${TRASH}?type=notes`);
  await expect(row(page, 'Alpha')).toContainText('30 days');
  await page.getByRole('checkbox', { name: 'Select Alpha' }).check();
  await checkA11y(page);
});

test('an empty trash says so', async ({ page }) => {
  await page.goto(TRASH);
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  await checkA11y(page);
});
