import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, dragListens, expect, interceptRequests, test } from './harness';

test.use({ sample: false });

interface TypeAnswer {
  label: string;
  fields: Record<string, Record<string, unknown>>;
}

/** A small type with an entry that has values. */
async function prepare(admin: Admin): Promise<void> {
  await admin.api('POST', 'content-types', {
    name: 'notes',
    label: 'Notes',
    fields: {
      title: { type: 'text', label: 'Title', required: true },
      slug: { type: 'slug', label: 'Slug' },
      text: { type: 'textarea', label: 'Text', my_key: { stays: true } },
      topic: { type: 'select', label: 'Topic', options: ['idea', 'plan'] },
      links: { type: 'repeater', label: 'Links', subfields: [{ key: 'url', type: 'url', label: 'Address' }] },
    },
  });
  await admin.api('POST', 'content/notes', { title: 'One', text: 'Hello', topic: 'idea' });
}

function typeOf(admin: Admin, name: string): Promise<TypeAnswer> {
  return admin.api<TypeAnswer>('GET', `content-types/${name}`);
}

/** Holds back the requests with a method; gives what lets them go. */
async function holdRequests(page: Page, address: string, method: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await interceptRequests(page, address, (route) => (route.request().method() === method ? released.then(() => route.continue()) : route.continue()));
  return release;
}

/** The row of a field, and the panel in which it is set up. */
function row(page: Page, label: string) {
  return page.getByRole('list', { name: 'Fields' }).first().getByRole('listitem').filter({ hasText: label });
}

function panel(page: Page) {
  return page.getByRole('dialog');
}

test('a type is built from nothing: fields, options, widths, rows', async ({ page, admin }) => {
  await page.goto('/admin/w/default/types');
  await expect(page.getByRole('heading', { name: 'No content types yet' })).toBeVisible();
  await page.getByRole('link', { name: /Start empty/ }).click();
  await page.getByLabel('Label').fill('Trip reports');
  await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('trip-reports');
  await expect(page.getByLabel('Singular')).toHaveValue('trip report');

  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByLabel('Search field kinds').fill('options from');
  await page.getByLabel('Search field kinds').press('Enter');
  await panel(page).getByLabel('Label', { exact: true }).fill('Way there');
  await expect(panel(page).getByLabel('Key')).toHaveValue('way_there');
  await panel(page).getByRole('button', { name: 'Add option' }).click();
  await panel(page).getByLabel('Label of option 1').fill('On foot');
  await panel(page).getByLabel('Label of option 1').press('Enter');
  await panel(page).getByLabel('Label of option 2').fill('Train');
  await panel(page).getByLabel('Label of option 2').press('Alt+ArrowUp');
  await page.keyboard.press('Escape');
  await expect(row(page, 'Way there').getByRole('button').nth(1)).toBeFocused();

  await page.getByRole('button', { name: 'Width of Way there: Full' }).click();
  await page.getByRole('menuitem', { name: 'One third' }).click();

  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('button', { name: /^Rows/ }).click();
  await panel(page).getByLabel('Label', { exact: true }).fill('Stops');
  await panel(page).getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('dialog', { name: 'Choose field kind' }).getByRole('button', { name: /^Link/ }).click();
  await panel(page).getByLabel('Label', { exact: true }).fill('Map');
  await panel(page).getByRole('button', { name: 'Stops', exact: true }).click();
  await expect(panel(page).getByLabel('Key')).toHaveValue('stops');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Create content type' }).click();
  await expect(page).toHaveURL(/\/types\/trip-reports$/);
  const { fields } = await typeOf(admin, 'trip-reports');
  expect(Object.keys(fields)).toEqual(['title', 'slug', 'way_there', 'stops']);
  expect(fields.way_there).toEqual({
    type: 'select', label: 'Way there', layout: { width: '1/3' },
    options: [{ value: 'train', label: 'Train' }, { value: 'on-foot', label: 'On foot' }],
  });
  expect(fields.stops?.subfields).toEqual([{ key: 'map', type: 'url', label: 'Map' }]);
});

test('a template becomes a type in one step', async ({ page, admin }) => {
  await page.goto('/admin/w/default/types/~new');
  await page.getByRole('link', { name: /^Events/ }).click();
  await page.getByRole('button', { name: 'Create content type' }).click();
  await expect(page).toHaveURL(/\/types\/events$/);
  expect((await typeOf(admin, 'events')).fields.place).toMatchObject({ visible_if: { online: false } });
});

test('a change that affects entries is told first; a rename takes values along or not', async ({ page, admin, server }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes');
  await row(page, 'Text').getByRole('button', { name: /^Text/ }).click();
  await panel(page).getByLabel('Key').fill('body');
  await page.keyboard.press('Escape');
  await expect(row(page, 'Text').getByText('Was text')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Topic' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Effects of this change' });
  await expect(dialog.getByText('“Topic” is removed. 1 entry keeps its value')).toBeVisible();
  await dialog.getByLabel('Start empty').check();
  await dialog.getByLabel('Move values').check();
  await dialog.getByRole('button', { name: 'Save type' }).click();
  await expect(page.getByText('“Notes” saved')).toBeVisible();
  expect(Object.keys((await typeOf(admin, 'notes')).fields)).toEqual(['title', 'slug', 'body', 'links']);
  const [entry] = await admin.api<{ id: string; data: Record<string, unknown> }[]>('GET', 'content/notes');
  const stored = JSON.parse(readFileSync(join(server.folder, `workspaces/default/content/notes/${entry?.id}.json`), 'utf8'));
  expect(stored.data).toMatchObject({ body: 'Hello', topic: 'idea' });
});

test('what affects nothing is saved at once, as JSON too, and what is not known stays', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes?tab=json');
  const editor = page.getByRole('textbox', { name: 'JSON' });
  await expect(editor).toContainText('my_key');
  await editor.press('Control+a');
  await page.keyboard.insertText('{ "label": ');
  await expect(page.getByText('This isn’t valid JSON')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  const { fields } = await typeOf(admin, 'notes');
  await editor.press('Control+a');
  await page.keyboard.insertText(JSON.stringify({ label: 'Jottings', fields: { ...fields, extra: { type: 'color', label: 'Tint', alpha: true } } }));
  await expect(page.getByRole('heading', { level: 1, name: 'Jottings' })).toBeVisible();
  await page.getByRole('tab', { name: 'Fields' }).click();
  await expect(row(page, 'Tint').getByText('New')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('“Jottings” saved')).toBeVisible();
  const saved = await typeOf(admin, 'notes');
  expect(saved.fields.text?.my_key).toEqual({ stays: true });
  expect(saved.fields.extra).toEqual({ type: 'color', label: 'Tint', alpha: true });
});

test('the server’s refusals stand at the fields that they are about', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes');
  await row(page, 'Title').getByRole('button', { name: /^Title/ }).click();
  await panel(page).getByRole('tab', { name: 'Validation' }).click();
  await panel(page).getByLabel('Pattern').fill('(');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Fix 1 error' });
  await expect(summary).toBeFocused();
  await expect(row(page, 'Title').getByText('1 error')).toBeVisible();
  await summary.getByRole('button', { name: 'Title' }).click();
  await expect(panel(page).getByText('This is not a regular expression')).toBeVisible();
});

test('somebody else’s change is not overwritten unseen', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes');
  await page.getByLabel('Label').fill('Mine');
  await interceptRequests(page, '**/admin/api/content-types/notes', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  await admin.api('PUT', 'content-types/notes', { label: 'Theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this content type' });
  await dialog.getByRole('button', { name: 'Overwrite with my version' }).click();
  await expect(page.getByText('“Mine” saved')).toBeVisible();
  expect((await typeOf(admin, 'notes')).label).toBe('Mine');
});

test('what is changed while a save is under way stays, to be saved next', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes');
  await page.getByLabel('Label').fill('Jottings');
  const release = await holdRequests(page, '**/admin/api/content-types/notes', 'PUT');
  const sent = page.waitForRequest((it) => it.method() === 'PUT' && !it.url().includes('dry_run'));
  await page.getByRole('button', { name: 'Save' }).click();
  await sent;
  await page.getByLabel('Singular').fill('jotting');
  release();
  await expect(page.getByText('“Jottings” saved')).toBeVisible();
  await expect(page.getByLabel('Singular')).toHaveValue('jotting');
  await expect(page.getByText('Unsaved', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  const saved = () => admin.api<{ label: string; label_singular: string }>('GET', 'content-types/notes');
  await expect.poll(saved).toMatchObject({ label: 'Jottings', label_singular: 'jotting' });
});

test('what is changed while a new type is created stays, to be saved next', async ({ page, admin }) => {
  await page.goto('/admin/w/default/types/~new?template=empty');
  await page.getByLabel('Label').fill('Jottings');
  const release = await holdRequests(page, '**/admin/api/content-types', 'POST');
  const sent = page.waitForRequest((it) => it.method() === 'POST' && it.url().endsWith('/content-types'));
  await page.getByRole('button', { name: 'Create content type' }).click();
  await sent;
  await page.getByLabel('Singular').fill('scribble');
  release();
  await expect(page).toHaveURL(/\/types\/jottings$/);
  await expect(page.getByLabel('Singular')).toHaveValue('scribble');
  await page.getByRole('button', { name: 'Save' }).click();
  const saved = () => admin.api<{ label: string; label_singular: string }>('GET', 'content-types/jottings');
  await expect.poll(saved).toMatchObject({ label: 'Jottings', label_singular: 'scribble' });
  await expect(page.getByText('Unsaved', { exact: false })).toHaveCount(0);
  // Nothing of it comes up again.
  await page.reload();
  await expect(page.getByLabel('Singular')).toHaveValue('scribble');
  await expect(page.getByText('Unsaved', { exact: false })).toHaveCount(0);
});

test('a save that is asked for while another one is under way follows it', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes');
  const release = await holdRequests(page, '**/admin/api/content-types/notes', 'PUT');
  const sent = page.waitForRequest((it) => it.method() === 'PUT' && !it.url().includes('dry_run'));
  await page.getByLabel('Label').fill('Jottings');
  await page.keyboard.press('Control+s');
  await sent;
  await page.getByLabel('Singular').fill('jotting');
  await page.keyboard.press('Control+s');
  release();
  const saved = () => admin.api<{ label: string; label_singular: string }>('GET', 'content-types/notes');
  await expect.poll(saved).toMatchObject({ label: 'Jottings', label_singular: 'jotting' });
  await expect(page.getByText('Unsaved', { exact: false })).toHaveCount(0);
});

test('a save that is asked for while a new type is created follows it', async ({ page, admin }) => {
  await page.goto('/admin/w/default/types/~new?template=empty');
  const release = await holdRequests(page, '**/admin/api/content-types', 'POST');
  const sent = page.waitForRequest((it) => it.method() === 'POST' && it.url().endsWith('/content-types'));
  await page.getByLabel('Label').fill('Jottings');
  await page.keyboard.press('Control+s');
  await sent;
  await page.getByLabel('Singular').fill('scribble');
  await page.keyboard.press('Control+s');
  release();
  const saved = () => admin.api<{ label: string; label_singular: string }>('GET', 'content-types/jottings').catch(() => undefined);
  await expect.poll(saved).toMatchObject({ label: 'Jottings', label_singular: 'scribble' });
  await expect(page.getByText('Unsaved', { exact: false })).toHaveCount(0);
});

test('types and fields are brought into order by keyboard, and leaving asks', async ({ page, admin }) => {
  await prepare(admin);
  await admin.api('POST', 'content-types', { name: 'people', label: 'People' });
  await page.goto('/admin/w/default/types');
  const saved = page.waitForResponse((it) => it.url().endsWith('/content-types/order'));
  await page.getByRole('list', { name: 'Collections' }).getByRole('link', { name: 'People' }).press('Alt+ArrowUp');
  await saved;
  expect((await admin.api<{ name: string }[]>('GET', 'content-types')).map((it) => it.name)).toEqual(['people', 'notes']);
  await page.getByRole('list', { name: 'Collections' }).getByRole('link', { name: 'Notes' }).press('Enter');
  const topic = row(page, 'Topic').getByRole('button', { name: /^Topic/ });
  await topic.press('Alt+ArrowUp');
  await expect(topic).toBeFocused();
  await expect(page.getByRole('list', { name: 'Fields' }).first().getByRole('listitem').nth(2)).toContainText('Topic');
  await page.getByRole('button', { name: 'Move Topic' }).press('Space');
  await expect(page.getByText('Topic: position 3 of 5.')).toBeAttached();
  await dragListens(page);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Dashboard' }).press('Enter');
  await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Stay on page' }).press('Enter');
  const sent = page.waitForRequest((it) => it.method() === 'PUT' && it.url().endsWith('/content-types/notes'));
  await page.keyboard.press('Control+s');
  await expect(page.getByText('“Notes” saved')).toBeVisible();
  expect(Object.keys((await sent).postDataJSON().fields)).toEqual(['title', 'slug', 'topic', 'text', 'links']);
});

test('a type is duplicated, and deleted after its name was typed', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types');
  await page.getByRole('button', { name: 'Actions for Notes' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate as new type' }).click();
  await expect(page.getByLabel('Label')).toHaveValue('Notes (copy)');
  await page.getByRole('button', { name: 'Create content type' }).click();
  await expect(page).toHaveURL(/\/types\/notes-2$/);
  expect((await typeOf(admin, 'notes-2')).fields).toEqual((await typeOf(admin, 'notes')).fields);
  await page.goto('/admin/w/default/types/notes');
  await page.getByRole('button', { name: 'Actions for Notes' }).click();
  await page.getByRole('menuitem', { name: 'Delete type' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete “Notes”?' });
  await expect(dialog.getByText('1 entry')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await dialog.getByLabel('Type “notes” to confirm').fill('notes');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/types$/);
  await expect(page.getByRole('list', { name: 'Collections' }).getByRole('link', { name: 'Notes', exact: true })).toHaveCount(0);
});

test('readers look only', async ({ page, admin, become }) => {
  await prepare(admin);
  await admin.person('vera', [{ effect: 'allow', actions: ['schema.read', 'content.read', 'profile.read'], resources: ['*'] }]);
  await become('vera');
  await page.goto('/admin/w/default/types');
  await expect(page.getByRole('link', { name: 'New content type' })).toHaveCount(0);
  await page.getByRole('list', { name: 'Collections' }).getByRole('link', { name: 'Notes' }).click();
  await expect(page.getByText('Read only').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await row(page, 'Text').getByRole('button', { name: /^Text/ }).click();
  await expect(panel(page).getByLabel('Label', { exact: true })).toBeDisabled();
  await page.goto('/admin/w/default/types/~new');
  await expect(page.getByText('schema.create')).toBeVisible();
});

test('the screens are accessible', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types');
  await expect(page.getByRole('list', { name: 'Collections' })).toBeVisible();
  await checkA11y(page);
  await page.goto('/admin/w/default/types/~new');
  await expect(page.getByRole('link', { name: /Start empty/ })).toBeVisible();
  await checkA11y(page);
  await page.goto('/admin/w/default/types/notes');
  await expect(row(page, 'Links')).toBeVisible();
  await checkA11y(page);
  await page.goto('/admin/w/default/types/notes?tab=settings');
  await expect(page.getByLabel('Collection')).toBeVisible();
  await checkA11y(page);
});

test('the panel of a field is accessible', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes');
  await row(page, 'Topic').getByRole('button', { name: /^Topic/ }).click();
  await expect(panel(page).getByLabel('Label of option 1')).toBeVisible();
  await checkA11y(page);
});

test('the gallery is accessible', async ({ page, admin }) => {
  await prepare(admin);
  await page.goto('/admin/w/default/types/notes');
  await page.getByRole('button', { name: 'Add field' }).click();
  await expect(panel(page).getByLabel('Search field kinds')).toBeVisible();
  await checkA11y(page);
});
