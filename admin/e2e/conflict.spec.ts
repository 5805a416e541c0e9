/** Two who change one entry at once, and hand edits of its file: neither side loses a word. */
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, PASSWORD, type Server, test } from './harness';

async function given(admin: Admin): Promise<string> {
  await admin.api('POST', 'content-types', {
    name: 'dishes',
    label: 'Dishes',
    fields: {
      title: { type: 'text', required: true },
      lead: { type: 'textarea', label: 'Lead' },
      place: { type: 'text', label: 'Place' },
    },
  });
  await admin.api('POST', 'users', { username: 'ben', display_name: 'Ben', password: PASSWORD, role: 'admin' });
  return (await admin.api<{ id: string }>('POST', 'content/dishes', { title: 'Soup', lead: 'Hot.', place: 'Stove' })).id;
}

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/dishes/${id}`);
  await expect(field(page, 'Title')).toBeVisible();
}

/** Saves, and waits until it is done. */
async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved (now|\d+ seconds? ago)$/).first()).toBeVisible();
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const banner = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const stored = (admin: Admin, id: string) => admin.api<{ title: string; data: Record<string, unknown> }>('GET', `content/dishes/${id}`);
const file = (server: Server, id: string) => join(server.folder, `workspaces/default/content/dishes/${id}.json`);

/** Changes the file by hand. */
function edit(server: Server, id: string, change: (text: string) => string): void {
  writeFileSync(file(server, id), change(readFileSync(file(server, id), 'utf8')));
}

test('what two changed in different fields comes together by itself', async ({ page, admin, another }) => {
  const id = await given(admin);
  const ben = await another('ben');
  await open(page, id);
  await open(ben, id);
  await field(page, 'Lead').fill('Anna was here.');
  await field(ben, 'Place').fill('Oven');
  await save(ben);
  await expect(banner(page, 'Ben has just changed this entry.')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved together with changes by others: Place')).toBeVisible();
  expect(await stored(admin, id)).toMatchObject({ data: { lead: 'Anna was here.', place: 'Oven' } });
  // Who had nothing to save just sees it.
  await expect(field(ben, 'Lead')).toHaveValue('Anna was here.');
});

test('where both changed the same, it is chosen field by field', async ({ page, admin, another }) => {
  const id = await given(admin);
  const ben = await another('ben');
  await open(page, id);
  await open(ben, id);
  await field(page, 'Lead').fill('Hot and mild.');
  await field(page, 'Title').fill('Mild soup');
  await field(ben, 'Lead').fill('Hot and sharp.');
  await field(ben, 'Title').fill('Sharp soup');
  await field(ben, 'Place').fill('Oven');
  await save(ben);
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'You both changed this entry' });
  await expect(dialog.getByRole('button', { name: '2 fields left to choose' })).toBeDisabled();
  await expect(dialog.getByText('Merged automatically')).toBeVisible();
  await checkA11y(page);
  await dialog.getByRole('radio', { name: 'Lead: Your version' }).check();
  await dialog.getByRole('radio', { name: 'Title: Their version' }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => stored(admin, id)).toMatchObject({ title: 'Sharp soup', data: { lead: 'Hot and mild.', place: 'Oven' } });
  await expect(field(page, 'Title')).toHaveValue('Sharp soup');
  // What was not chosen is in the history.
  const revisions = await admin.api<{ entry: { data: { lead: string } } }[]>('GET', `content/dishes/${id}/revisions`);
  expect(revisions.map((it) => it.entry.data.lead)).toContain('Hot and sharp.');
});

test('of long texts both can be kept', async ({ page, admin, another }) => {
  const id = await given(admin);
  const ben = await another('ben');
  await open(page, id);
  await open(ben, id);
  await field(page, 'Lead').fill('Mine.');
  await field(page, 'Title').fill('My soup');
  await field(ben, 'Lead').fill('Theirs.');
  await field(ben, 'Title').fill('Their soup');
  await save(ben);
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'You both changed this entry' });
  await dialog.getByRole('radio', { name: 'Title: Your version' }).check();
  await expect(dialog.getByRole('radio', { name: 'Title: Keep both' })).toHaveCount(0);
  await dialog.getByRole('radio', { name: 'Lead: Keep both' }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(field(page, 'Lead')).toHaveValue('Theirs.\n\nMine.');
  await expect.poll(() => stored(admin, id)).toMatchObject({ title: 'My soup', data: { lead: 'Theirs.\n\nMine.' } });
});

test('mine can become a copy, and theirs stays', async ({ page, admin, another }) => {
  const id = await given(admin);
  const ben = await another('ben');
  await open(page, id);
  await open(ben, id);
  await field(page, 'Lead').fill('Mine.');
  await field(ben, 'Lead').fill('Theirs.');
  await save(ben);
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByRole('button', { name: 'Save my version as a copy' }).click();
  await expect(page).not.toHaveURL(new RegExp(`${id}$`));
  await expect(field(page, 'Lead')).toHaveValue('Mine.');
  expect(await stored(admin, id)).toMatchObject({ data: { lead: 'Theirs.' } });
});

test('one sees who else is here', async ({ page, admin, another }) => {
  const id = await given(admin);
  await open(page, id);
  const head = page.getByRole('main').locator('header');
  const before = await head.boundingBox();
  const ben = await another('ben');
  await open(ben, id);
  await expect(page.getByText('Ben is here too')).toBeVisible();
  // Nothing moves for it.
  expect(await head.boundingBox()).toEqual(before);
  await expect(ben.getByText('anna is here too')).toBeVisible();
  await ben.getByRole('link', { name: 'Dishes' }).first().click();
  await expect(page.getByText('Ben is here too')).toHaveCount(0);
});

test('a hand edit of the file shows at once where nothing was changed', async ({ page, admin, server }) => {
  const id = await given(admin);
  await open(page, id);
  await field(page, 'Place').focus();
  edit(server, id, (text) => text.replace('Hot.', 'Edited by hand.'));
  await expect(field(page, 'Lead')).toHaveValue('Edited by hand.');
  await expect(field(page, 'Place')).toBeFocused();
});

test('a hand edit of the file is told where something was changed', async ({ page, admin, server }) => {
  const id = await given(admin);
  await open(page, id);
  await field(page, 'Lead').fill('Typed here.');
  edit(server, id, (text) => text.replace('Hot.', 'Edited by hand.').replace('Stove', 'Grill'));
  await expect(banner(page, 'has just changed on disk')).toBeVisible();
  await expect(field(page, 'Lead')).toHaveValue('Typed here.');
  await page.getByRole('button', { name: 'Show changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changes by others' });
  await dialog.getByRole('radio', { name: 'Lead: Your version' }).check();
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(field(page, 'Place')).toHaveValue('Grill');
  await expect(field(page, 'Lead')).toHaveValue('Typed here.');
  await save(page);
  expect(await stored(admin, id)).toMatchObject({ data: { lead: 'Typed here.', place: 'Grill' } });
});

test('theirs can be loaded, and that be taken back', async ({ page, admin, server }) => {
  const id = await given(admin);
  await open(page, id);
  await field(page, 'Lead').fill('Typed here.');
  edit(server, id, (text) => text.replace('Hot.', 'Edited by hand.'));
  await page.getByRole('button', { name: 'Load new version' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Edited by hand.');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(field(page, 'Lead')).toHaveValue('Typed here.');
  await expect(banner(page, 'has just changed on disk')).toBeVisible();
  // It is a step like any other, however long the message about it is gone.
  await page.getByRole('button', { name: 'Redo: load new version' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Edited by hand.');
  await expect(banner(page, 'has just changed on disk')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo: load new version' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Typed here.');
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByRole('radio', { name: 'Lead: Your version' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await stored(admin, id)).data.lead).toBe('Typed here.');
});

test('what was typed in a field that others removed is there to be copied', async ({ page, admin }) => {
  const id = await given(admin);
  await open(page, id);
  await field(page, 'Lead').fill('Typed here.');
  await field(page, 'Place').fill('Grill');
  const { lead: _, ...fields } = (await admin.api<{ fields: Record<string, unknown> }>('GET', 'content-types/dishes')).fields;
  await admin.api('PUT', 'content-types/dishes', { fields });
  const notice = banner(page, 'Not in this content type any more: Lead.');
  await expect(notice).toBeVisible();
  await expect(field(page, 'Lead')).toHaveCount(0);
  await checkA11y(page);
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await stored(admin, id)).data.place).toBe('Grill');
  await expect(notice.getByRole('button', { name: 'Copy text' })).toBeVisible();
  await notice.getByRole('button', { name: 'Discard' }).click();
  await expect(notice).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(notice).toBeVisible();
});

test('what is deleted while it is open can be saved as new', async ({ page, admin, server }) => {
  const id = await given(admin);
  await open(page, id);
  await field(page, 'Lead').fill('Typed here.');
  unlinkSync(file(server, id));
  await expect(banner(page, 'This entry was deleted')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Save as new entry' }).click();
  await expect(page).not.toHaveURL(new RegExp(`${id}$`));
  await expect(field(page, 'Lead')).toHaveValue('Typed here.');
});
