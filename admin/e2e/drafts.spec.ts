/** Working on what is published, without changing what readers see. */
import type { Page } from '@playwright/test';
import { Admin, checkA11y, expect, type Server, test } from './harness';

interface Given {
  id: string;
  /** Returns what everybody reads of the entry, byte by byte. */
  read: () => Promise<string>;
}

/** A type with drafts, a published entry, and Ben, who may write but not publish. */
async function given(admin: Admin, server: Server, drafts = true): Promise<Given> {
  await admin.api('POST', 'content-types', {
    name: 'dishes',
    label: 'Dishes',
    drafts,
    fields: {
      title: { type: 'text', required: true },
      lead: { type: 'textarea', label: 'Lead' },
      place: { type: 'text', label: 'Place' },
    },
  });
  await admin.person('ben', [
    {
      effect: 'allow',
      actions: ['content.read', 'content.create', 'content.update', 'content.delete', 'content.revisions.read'],
      resources: ['content:*'],
    },
    { effect: 'allow', actions: ['schema.read', 'profile.*'], resources: ['*'] },
  ]);
  const { id } = await admin.api<{ id: string }>('POST', 'content/dishes', {
    title: 'Soup', lead: 'Hot.', place: 'Stove', status: 'published',
  });
  return { id, read: async () => await (await fetch(`${server.url}/api/v1/workspaces/default/content/dishes/${id}`)).text() };
}

async function open(page: Page, id: string, search = ''): Promise<void> {
  await page.goto(`/admin/w/default/content/dishes/${id}${search}`);
  await expect(field(page, 'Title')).toBeVisible();
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved (now|\d+ seconds? ago)$/).first()).toBeVisible();
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const bar = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const NOT_PUBLIC = 'You’re viewing your draft. It’s not public yet.';

test('an author changes what is published, readers see none of it, and an editor makes it public', async ({ page, admin, server, become }) => {
  const { id, read } = await given(admin, server);
  const before = await read();
  await become('ben');
  await open(page, id);
  await expect(bar(page, 'Your changes stay a draft')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0);
  await field(page, 'Lead').fill('Hot and mild.');
  await save(page);
  await expect(bar(page, NOT_PUBLIC)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Your drafts: 1' })).toBeVisible();
  expect(await read()).toBe(before);
  await checkA11y(page);
  // The draft is what opens next time, and what is live can be looked at.
  await open(page, id);
  await expect(field(page, 'Lead')).toHaveValue('Hot and mild.');
  await page.getByRole('radiogroup', { name: 'Version' }).getByText('Live').click();
  await expect(field(page, 'Lead')).toHaveValue('Hot.');
  await page.getByRole('radiogroup', { name: 'Version' }).getByText('Your draft').click();
  await expect(field(page, 'Lead')).toHaveValue('Hot and mild.');
  await page.getByRole('button', { name: 'Show differences' }).click();
  const dialog = page.getByRole('dialog', { name: 'Differences from the live version' });
  await expect(dialog.getByRole('region', { name: 'Lead' })).toContainText('mild');
  await checkA11y(page);
  await page.keyboard.press('Escape');
  await page.goto('/admin/w/default/content/dishes');
  await expect(page.getByRole('row', { name: /Soup/ })).toContainText('Your draft');
  await checkA11y(page);
  await become('anna');
  await open(page, id);
  await page.getByRole('radiogroup', { name: 'Version' }).getByText('Draft of ben').click();
  await expect(field(page, 'Lead')).toHaveValue('Hot and mild.');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
  await bar(page, 'You’re viewing the draft of ben.').getByRole('button', { name: 'Publish' }).click();
  await expect(bar(page, 'You’re viewing the draft of ben.')).toHaveCount(0);
  await expect.poll(async () => JSON.parse(await read()).data.data).toMatchObject({ lead: 'Hot and mild.' });
});

test('who may not publish sees why', async ({ page, admin, server, become }) => {
  const { id, read } = await given(admin, server);
  const before = await read();
  await become('ben');
  await open(page, id);
  // Before anything is typed: where a save goes, and that somebody else makes it public.
  await expect(bar(page, 'This entry is public. Your changes stay a draft until someone with permission publishes them.')).toBeVisible();
  await expect(page.getByText('Publishing needs the permission “content.publish”.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await expect(page.getByRole('option', { name: 'Scheduled' })).toHaveAttribute('data-combobox-disabled', 'true');
  await page.keyboard.press('Escape');
  await checkA11y(page);

  await field(page, 'Lead').fill('Hot and mild.');
  await save(page);
  await expect(bar(page, NOT_PUBLIC)).toContainText('Someone with permission has to publish it.');
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Add to release…' })).toBeVisible();
  for (const name of ['Unpublish', 'Schedule']) await expect(page.getByRole('menuitem', { name })).toHaveCount(0);
  await page.keyboard.press('Escape');

  // All that waits is there to be looked at, and says the same.
  await page.goto('/admin/w/default/changes');
  await page.getByRole('link', { name: /^Your drafts \d/ }).click();
  await expect(page.getByRole('article', { name: 'Soup' })).toBeVisible();
  await expect(page.getByText('You can’t publish this release: you need permission to publish all of its entries. Ask someone who has it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0);
  await checkA11y(page);
  expect(await read()).toBe(before);
  // The server says it, too, to whoever goes around the interface.
  const ben = await new Admin(server.url, 'ben').logIn();
  await expect(ben.api('POST', 'changes/pending/publish')).rejects.toThrow(/403/);
  expect(await read()).toBe(before);
});

test('publishing makes this entry live, and nothing else that waits', async ({ page, admin, server }) => {
  const { id, read } = await given(admin, server);
  const other = await admin.api<{ id: string }>('POST', 'content/dishes', { title: 'Bread', status: 'published' });
  await admin.api('PATCH', `content/dishes/${other.id}?change=pending`, { title: 'Old bread' });
  const before = await read();
  await open(page, id);
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await field(page, 'Lead').fill('Hot and mild.');
  await save(page);
  await expect(bar(page, NOT_PUBLIC)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Your drafts: 2' })).toBeVisible();
  expect(await read()).toBe(before);
  await field(page, 'Place').fill('Oven');
  await bar(page, NOT_PUBLIC).getByRole('button', { name: 'Publish' }).click();
  await expect(bar(page, NOT_PUBLIC)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Your drafts: 1' })).toBeVisible();
  expect(JSON.parse(await read()).data.data).toMatchObject({ lead: 'Hot and mild.', place: 'Oven' });
  expect(await admin.api('GET', `content/dishes/${other.id}`)).toMatchObject({ title: 'Bread' });
  await expect(field(page, 'Place')).toHaveValue('Oven');
});

test('a draft is discarded, and that is taken back', async ({ page, admin, server }) => {
  const { id, read } = await given(admin, server);
  const before = await read();
  await open(page, id);
  await field(page, 'Lead').fill('Hot and mild.');
  await save(page);
  await bar(page, NOT_PUBLIC).getByRole('button', { name: 'Discard' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Hot.');
  await expect(bar(page, NOT_PUBLIC)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(field(page, 'Lead')).toHaveValue('Hot and mild.');
  await expect(bar(page, NOT_PUBLIC)).toBeVisible();
  expect(await read()).toBe(before);
});

test('what was changed live meanwhile is merged, or chosen field by field', async ({ page, admin, server }) => {
  const { id } = await given(admin, server);
  await open(page, id);
  await field(page, 'Lead').fill('Hot and mild.');
  await field(page, 'Title').fill('Mild soup');
  await save(page);
  await admin.api('PATCH', `content/dishes/${id}`, { lead: 'Hot and sharp.', place: 'Oven' });
  await bar(page, NOT_PUBLIC).getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'The live version and your draft differ' });
  await dialog.getByRole('radio', { name: 'Lead: Your draft' }).check();
  await checkA11y(page);
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(bar(page, NOT_PUBLIC)).toHaveCount(0);
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ title: 'Mild soup', data: { lead: 'Hot and mild.', place: 'Oven' } });
});

test('the draft of an entry that was deleted says so, and what can be done', async ({ page, admin, server }) => {
  const { id } = await given(admin, server);
  await admin.api('PATCH', `content/dishes/${id}?change=pending`, { lead: 'Cold.' });
  await admin.api('DELETE', `content/dishes/${id}`);
  const missing: string[] = [];
  page.on('response', (it) => void (it.status() === 404 && missing.push(it.url())));
  await open(page, id);
  const gone = bar(page, 'This entry was deleted. Your changes to it are still here');
  await expect(gone).toBeVisible();
  await expect(page.getByText(NOT_PUBLIC)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show differences' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Where used' })).toHaveCount(0);
  await checkA11y(page);
  // The page asks for the entry itself before anything is known of drafts.
  expect(missing.filter((it) => !it.endsWith(`/dishes/${id}`))).toEqual([]);

  await gone.getByRole('button', { name: 'Save as new entry' }).click();
  await expect(page).not.toHaveURL(new RegExp(`${id}$`));
  await expect(field(page, 'Lead')).toHaveValue('Cold.');

  await open(page, id);
  await gone.getByRole('button', { name: 'Open trash' }).click();
  await page.getByRole('button', { name: /^Restore/ }).first().click();
  // Until it is restored, it is not found.
  await expect.poll(() => admin.api('GET', `content/dishes/${id}`).catch(() => undefined)).toMatchObject({ data: { lead: 'Hot.' } });
  await open(page, id);
  await expect(bar(page, NOT_PUBLIC)).toBeVisible();

  await admin.api('DELETE', `content/dishes/${id}`);
  await gone.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/content\/dishes$/);
  expect(await admin.api('GET', 'changes/pending').catch(() => ({ entries: [] }))).toMatchObject({ entries: [] });
});

test('a draft moves into a change that others work on too', async ({ page, admin, server }) => {
  const { id, read } = await given(admin, server);
  const before = await read();
  await open(page, id);
  await field(page, 'Lead').fill('For spring.');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Add to release…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to release' });
  await dialog.getByRole('button', { name: 'Add to release' }).click();
  await expect(dialog.getByText('Enter a name for the release.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Spring');
  await checkA11y(page);
  await dialog.getByRole('button', { name: 'Add to release' }).click();
  await expect(bar(page, 'You’re viewing this entry as it will be in the release “Spring”.')).toBeVisible();
  await expect(field(page, 'Lead')).toHaveValue('For spring.');
  await field(page, 'Place').fill('Garden');
  await save(page);
  expect(await read()).toBe(before);
  await page.getByRole('radiogroup', { name: 'Version' }).getByText('Live').click();
  await expect(field(page, 'Place')).toHaveValue('Stove');
});

test('the deletion of what is published is proposed by whoever may not publish', async ({ page, admin, server, become }) => {
  const { id, read } = await given(admin, server);
  const before = await read();
  await become('ben');
  await open(page, id);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await expect(bar(page, 'Your draft deletes this entry.')).toBeVisible();
  expect(await read()).toBe(before);
  await bar(page, 'Your draft deletes this entry.').getByRole('button', { name: 'Discard' }).click();
  await expect(bar(page, 'Your draft deletes this entry.')).toHaveCount(0);
});

test('a type without drafts is changed at once', async ({ page, admin, server, become }) => {
  const { id, read } = await given(admin, server, false);
  await become('ben');
  await open(page, id);
  await expect(bar(page, 'Your changes stay a draft')).toHaveCount(0);
  await field(page, 'Lead').fill('At once.');
  await save(page);
  expect(JSON.parse(await read()).data.data).toMatchObject({ lead: 'At once.' });
  await expect(page.getByText('not public yet')).toHaveCount(0);
});

test('the builder proposes drafts for new types, and says what they mean', async ({ page, admin }) => {
  await page.goto('/admin/w/default/types/~new?template=empty');
  await page.getByRole('textbox', { name: 'Label' }).first().fill('Dishes');
  await page.getByRole('tab', { name: 'Settings' }).click();
  const drafts = page.getByRole('switch', { name: 'Keep changes to published entries as drafts' });
  await expect(drafts).toBeChecked();
  await expect(page.getByText('Only people with permission to publish can change what readers see.')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await admin.api<{ name: string; drafts?: boolean }[]>('GET', 'content-types')).find((it) => it.name === 'dishes')?.drafts).toBe(true);
  // The page of the new type begins anew.
  await expect(page).toHaveURL(/types\/dishes/);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await drafts.press('Space');
  await expect(page.getByText('Saving a published entry changes what readers see at once')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect
    .poll(async () => (await admin.api<{ name: string; drafts?: boolean }[]>('GET', 'content-types')).find((it) => it.name === 'dishes')?.drafts ?? false)
    .toBe(false);
});
