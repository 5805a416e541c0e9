import type { Page } from '@playwright/test';
import { type Admin, checkA11y, dragListens, expect, resizeWindow, test } from './harness';

const POSTS = '/admin/w/default/content/posts';

const rows = (page: Page) => page.locator('tr[data-row]');
const row = (page: Page, title: string | RegExp) => rows(page).filter({ has: page.getByRole('link', { name: title }) });
const cell = (page: Page, title: string | RegExp, column: string) => row(page, title).locator(`td[data-column="${column}"]`);

interface Made {
  id: string;
  slug: string;
}

const make = (admin: Admin, type: string, body: Record<string, unknown>) => admin.api<Made>('POST', `content/${type}`, body);
const read = <T>(admin: Admin, type: string, id: string) => admin.api<T>('GET', `content/${type}/${id}`);

test.describe('finding entries', () => {
  test('a list that is still on its way does not say that it is empty', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route('**/admin/api/content/posts?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(POSTS);
    const paging = page.getByRole('navigation', { name: 'Pages' });
    await expect(paging).toBeVisible();
    await expect(paging).not.toContainText('No entries');
    release();
    await expect(paging).toContainText('1–12 of 12');
  });

  test('the address says what the list shows', async ({ page }) => {
    await page.goto(POSTS);
    await expect(page.getByRole('heading', { level: 1, name: 'Posts' })).toBeVisible();
    await expect(page.getByText('1–12 of 12')).toBeVisible();

    await page.getByRole('button', { name: /^Draft/ }).click();
    await expect(page).toHaveURL(/filter\[status\]=draft/);
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('button', { name: /^All/ }).click();
    await expect(rows(page)).toHaveCount(12);

    await page.getByRole('button', { name: 'Title', exact: true }).click();
    await expect(page.getByRole('columnheader', { name: 'Title' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(rows(page).first()).toContainText('A loaf for people who are busy');
    await page.getByRole('button', { name: 'Title', exact: true }).click();
    await expect(page).toHaveURL(/sort=-title/);
    await expect(rows(page).first()).toContainText('What the crumb tells you');

    await page.getByRole('searchbox').fill('bakery');
    await expect(page).toHaveURL(/q=bakery/);
    await expect(page.getByRole('status').filter({ hasText: /^\d+ entr/ })).toBeAttached();
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue('bakery');
    await expect(row(page, 'The long way to the bakery')).toBeVisible();
    await expect(page.getByText(/GET .*\/content\/posts\?q=bakery&sort=-title/)).toBeVisible();
  });

  test('filters are made, said in words, changed and removed', async ({ page }) => {
    await page.goto(POSTS);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Filter' });
    await form.getByRole('combobox', { name: 'Field' }).click();
    await form.getByRole('option', { name: 'Author', exact: true }).click();
    await form.getByRole('combobox', { name: 'Value' }).click();
    await form.getByRole('option', { name: 'Ines Falkner' }).click();
    await form.getByRole('button', { name: 'Add filter' }).click();
    await expect(page).toHaveURL(/filter\[author\]=\w+/);
    const chip = page.getByRole('button', { name: 'Author is Ines Falkner', exact: true });
    await expect(chip).toBeVisible();
    await expect(page.getByText('12 of 12')).toBeHidden();

    await chip.click();
    const editing = page.getByRole('dialog', { name: 'Author is Ines Falkner' });
    await editing.getByRole('combobox', { name: 'Comparison' }).click();
    await editing.getByRole('option', { name: 'is not', exact: true }).click();
    await editing.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(/filter\[author\]\[ne\]=/);

    await page.getByRole('button', { name: 'Remove filter “Author is not Ines Falkner”' }).click();
    await expect(page.getByText('1–12 of 12')).toBeVisible();
  });

  test('nothing that matches, and filters that cannot be', async ({ page }) => {
    await page.goto(`${POSTS}?q=zzzz`);
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page)).toHaveCount(12);

    await page.goto(`${POSTS}?filter[nope]=1`);
    await expect(page.getByRole('heading', { name: 'These filters don’t work' })).toBeVisible();
    await expect(page.getByText('`nope` is not a field of `posts`.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page)).toHaveCount(12);
  });

  test('a type without entries says what to do, a single page opens', async ({ page, admin }) => {
    await admin.api('POST', 'content-types', { name: 'events', label: 'Events', fields: {} });
    await page.goto('/admin/w/default/content/events');
    await expect(page.getByRole('heading', { name: 'No entries in Events yet' })).toBeVisible();
    await checkA11y(page);
    await page.getByRole('link', { name: 'Write the first entry' }).click();
    await expect(page).toHaveURL(/content\/events\/~new/);

    await page.goto('/admin/w/default/content/start');
    await expect(page).toHaveURL(/content\/start\/start/);
  });

  test('pages, and their size that is kept', async ({ page, admin }) => {
    for (let i = 0; i < 30; i += 1) await make(admin, 'topics', { title: `Topic ${String(i).padStart(2, '0')}` });
    await page.goto('/admin/w/default/content/topics?sort=title');
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('25');
    await expect(page.getByText('1–25 of 34')).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.getByText('26–34 of 34')).toBeVisible();
    await expect(page).toHaveURL(/offset=25/);
    await page.goBack();
    await expect(page.getByText('1–25 of 34')).toBeVisible();
    await page.goto('/admin/w/default/content/topics?offset=25&sort=title');
    await expect(page.getByText('26–34 of 34')).toBeVisible();
    // A page that has gone leads to the last one there is.
    await page.goto('/admin/w/default/content/topics?offset=100&sort=title');
    await expect(page.getByText('26–34 of 34')).toBeVisible();
  });

  test('values are shown in another language', async ({ page }) => {
    await page.goto(POSTS);
    await page.getByRole('combobox', { name: 'Content language' }).selectOption('de');
    await expect(page).toHaveURL(/locale=de/);
    await expect(row(page, 'Der lange Weg zum Bäcker')).toBeVisible();
  });
});

test.describe('columns and views', () => {
  test('columns are chosen, moved and made wider with the keyboard', async ({ page }) => {
    await page.goto(POSTS);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Author', exact: true }).click();
    await expect(page.getByRole('columnheader', { name: 'Author' })).toBeVisible();
    await page.getByRole('checkbox', { name: 'Tags' }).click();
    await expect(page.getByRole('columnheader', { name: 'Tags' })).toBeHidden();

    await page.getByRole('button', { name: 'Move Author' }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('Author is at position 5 of 5.')).toBeAttached();
    await dragListens(page);
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText('Author is at position 4 of 5.')).toBeAttached();
    const saved = page.waitForResponse((it) => it.url().endsWith('/profile') && it.ok());
    await page.keyboard.press('Space');
    await saved;
    await page.keyboard.press('Escape');
    const heads = page.getByRole('columnheader');
    await expect(heads.nth(4)).toContainText('Author');

    const handle = page.getByRole('button', { name: /Width of Status/ });
    const width = (await page.getByRole('columnheader', { name: 'Status' }).boundingBox())?.width ?? 0;
    const kept = page.waitForResponse((it) => it.url().endsWith('/profile') && it.ok());
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    await kept;
    await page.reload();
    await expect(heads.nth(4)).toContainText('Author');
    await expect
      .poll(async () => Math.round(((await page.getByRole('columnheader', { name: 'Status' }).boundingBox())?.width ?? 0) - width))
      .toBe(16);
  });

  test('a view is saved, changed, renamed and deleted', async ({ page }) => {
    await page.goto(`${POSTS}?filter[featured]=true&sort=title`);
    await page.getByRole('button', { name: 'View: Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as new view' }).click();
    await page.getByRole('textbox', { name: 'View name' }).fill('Featured ones');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'View: Featured ones' })).toBeVisible();
    await expect(page).toHaveURL(/view=/);

    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('button', { name: 'View: Featured ones (changed)' }).click();
    await page.getByRole('menuitem', { name: 'Save changes to “Featured ones”' }).click();
    await expect(page.getByRole('button', { name: 'View: Featured ones', exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'View: Featured ones' }).click();
    await page.getByRole('menuitem', { name: 'Rename view' }).click();
    await page.getByRole('textbox', { name: 'View name' }).fill('On the front page');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'View: On the front page', exact: true })).toBeVisible();
    await page.goto(POSTS);
    await page.getByRole('button', { name: 'View: Views' }).click();
    await page.getByRole('menuitem', { name: 'On the front page' }).click();
    await expect(page).toHaveURL(/filter\[featured\]=true&sort=status/);

    await page.getByRole('button', { name: 'View: On the front page' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await expect(page.getByText('View “On the front page” deleted')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'View: Views' }).click();
    await expect(page.getByRole('menuitem', { name: 'On the front page' })).toBeVisible();
  });
});

test.describe('changing entries', () => {
  test('many are published, set and trashed, and all of it is taken back', async ({ page, admin }) => {
    const made = [];
    for (const name of ['Zinc', 'Zone', 'Zoo']) made.push(await make(admin, 'notes', { title: name, topic: 'planning' }));
    const id = made[0]?.id ?? '';
    await page.goto('/admin/w/default/content/notes?sort=title');
    await page.getByRole('checkbox', { name: 'Select “Zinc”' }).click();
    await page.getByRole('checkbox', { name: 'Select “Zoo”' }).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected entries' });
    await expect(bar).toContainText('3 selected');

    await bar.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('3 entries published')).toBeVisible();
    await expect(cell(page, 'Zone', 'status')).toHaveText('Published');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(cell(page, 'Zone', 'status')).toHaveText('Draft');
    expect(await read(admin, 'notes', id)).toMatchObject({ status: 'draft', published_at: null });

    await page.getByRole('checkbox', { name: 'Select “Zinc”' }).click();
    await bar.getByRole('button', { name: 'Select all 5 matches' }).click();
    await expect(bar).toContainText('5 selected');
    await bar.getByRole('button', { name: 'Change field' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Topic' }).click();
    await dialog.getByRole('combobox', { name: 'Topic' }).click();
    await page.getByRole('listbox', { name: 'Topic' }).getByRole('option').first().click();
    await dialog.getByRole('button', { name: 'Change 5 entries' }).click();
    await expect(page.getByText('5 entries changed')).toBeVisible();
    await expect.poll(async () => (await read<{ data: { topic: string } }>(admin, 'notes', id)).data.topic).toBe('idea');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await read<{ data: { topic: string } }>(admin, 'notes', id)).data.topic).toBe('planning');

    await page.getByRole('button', { name: 'Actions for “Zoo”' }).click();
    await page.getByRole('menuitem', { name: 'Move to trash' }).click();
    await expect(row(page, 'Zoo')).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(row(page, 'Zoo')).toHaveCount(1);
  });

  test('nothing is changed unless it was chosen, and it is said what that does', async ({ page, admin }) => {
    await admin.api('POST', 'content-types', {
      name: 'tasks',
      label: 'Tasks',
      fields: { title: { type: 'text', required: true }, topic: { type: 'text', label: 'Topic' }, done: { type: 'boolean', label: 'Done' } },
    });
    const ids: string[] = [];
    for (let at = 0; at < 201; at += 1) {
      const status = at % 100 < 2 ? 'published' : 'draft';
      ids.push((await make(admin, 'tasks', { title: `Task ${String(at).padStart(3, '0')}`, topic: 'planning', status })).id);
    }
    await page.goto('/admin/w/default/content/tasks?sort=title');
    await page.getByRole('checkbox', { name: 'Select “Task 000”' }).click();
    await page.getByRole('checkbox', { name: 'Select “Task 002”' }).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected entries' });
    const dialog = page.getByRole('dialog', { name: 'Change a field of' });
    const change = dialog.getByRole('button', { name: /^Change \d/ });
    const choose = async (list: string, option: string) => {
      await dialog.getByRole('combobox', { name: list }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await bar.getByRole('button', { name: 'Change field' }).click();
    await expect(dialog.getByRole('combobox', { name: 'Field' })).toHaveValue('');
    await expect(change).toBeDisabled();
    // The status is never cleared, and other fields only on purpose.
    await choose('Field', 'Status');
    await expect(change).toBeDisabled();
    await expect(dialog.getByRole('checkbox', { name: 'Clear the field' })).toHaveCount(0);
    await choose('Status', 'Archived');
    await expect(dialog.getByText('2 of them are public now. Readers will no longer see them.')).toBeVisible();
    await expect(change).toBeEnabled();
    await choose('Field', 'Topic');
    await expect(change).toBeDisabled();
    await dialog.getByRole('checkbox', { name: 'Clear the field' }).check();
    await expect(dialog.getByRole('textbox', { name: 'Topic' })).toHaveCount(0);
    await checkA11y(page);
    await change.click();
    await expect(page.getByText('3 entries changed')).toBeVisible();
    expect(await read(admin, 'tasks', ids[0] ?? '')).toMatchObject({ status: 'published', data: {} });

    // Of many it is asked once more, by name.
    await page.getByRole('checkbox', { name: 'Select “Task 000”' }).click();
    await bar.getByRole('button', { name: 'Select all 201 matches' }).click();
    await bar.getByRole('button', { name: 'Change field' }).click();
    await choose('Field', 'Status');
    await choose('Status', 'Archived');
    await expect(dialog.getByText('Readers will no longer see the entries that are public now.')).toBeVisible();
    await change.click();
    const question = page.getByRole('dialog', { name: 'Change 201 entries?' });
    await expect(question).toContainText(/Status\s*Archived\s*Readers will no longer see/);
    await checkA11y(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(bar).toContainText('201 selected');
    expect(await read(admin, 'tasks', ids[0] ?? '')).toMatchObject({ status: 'published' });
  });

  test('what was not possible is told, entry by entry', async ({ page, admin, become }) => {
    await admin.api('POST', 'content-types', {
      name: 'tasks',
      label: 'Tasks',
      fields: { title: { type: 'text', required: true }, hours: { type: 'number' } },
    });
    const kept = await make(admin, 'tasks', { title: 'Kept back' });
    await make(admin, 'tasks', { title: 'Free' });
    const role = await admin.api<{ id: string }>('POST', 'roles', {
      label: 'Helper',
      permissions: [
        { effect: 'allow', actions: ['content.*', 'dashboard.read', 'profile.*'], resources: ['*'] },
        { effect: 'deny', actions: ['content.delete'], resources: [`content:tasks:${kept.id}`] },
      ],
    });
    await admin.api('POST', 'users', { username: 'hella', password: 'correct horse', role: role.id });
    await become('hella');
    await page.goto('/admin/w/default/content/tasks');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('region', { name: 'Selected entries' }).getByRole('button', { name: 'Move to trash' }).click();
    const told = page.getByRole('dialog', { name: '1 of 2 failed' });
    await expect(told).toContainText('Kept back: This needs the permission `content.delete`');
    await told.getByRole('button', { name: 'Close' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByRole('checkbox', { name: 'Select “Kept back”' })).toBeChecked();
  });

  test('a cell is edited where it stands', async ({ page, admin }) => {
    const { id } = await make(admin, 'notes', { title: 'Buy flour' });
    await page.goto('/admin/w/default/content/notes');
    await cell(page, 'Buy flour', 'title').dblclick();
    const input = cell(page, 'Buy flour', 'title').getByRole('textbox').or(page.locator('td[data-column=title] input'));
    await input.fill('Buy rye flour');
    await page.keyboard.press('Escape');
    await expect(row(page, 'Buy flour')).toBeVisible();

    await cell(page, 'Buy flour', 'title').dblclick();
    await page.locator('td[data-column=title] input').fill('Buy rye flour');
    // Somebody else was faster.
    await admin.api('PATCH', `content/notes/${id}`, { text: 'two kilos' });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'Someone changed this entry in the meantime' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(row(page, 'Buy rye flour')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Buy rye flour' })).toBeFocused();
    expect(await read(admin, 'notes', id)).toMatchObject({ title: 'Buy rye flour', data: { text: 'two kilos' } });

    await cell(page, 'Buy rye flour', 'title').dblclick();
    await page.locator('td[data-column=title] input').fill('');
    await page.keyboard.press('Enter');
    await expect(page.locator('td[data-column=title]').getByRole('alert')).toBeVisible();
  });

  test('what is typed in a cell is not left without a question', async ({ page, admin }) => {
    await make(admin, 'notes', { title: 'Buy flour' });
    await make(admin, 'notes', { title: 'Buy salt' });
    await page.goto('/admin/w/default/content/notes');
    const input = page.locator('td[data-column=title] input');
    const question = page.getByRole('dialog', { name: 'Leave this page?' });
    await cell(page, 'Buy flour', 'title').dblclick();
    await input.fill('Buy rye flour');
    // Neither another page nor another state of the list.
    await page.getByRole('link', { name: 'Posts', exact: true }).first().click();
    await question.getByRole('button', { name: 'Stay on page' }).click();
    await expect(input).toHaveValue('Buy rye flour');
    await page.getByRole('searchbox').fill('salt');
    await question.getByRole('button', { name: 'Stay on page' }).click();
    await expect(input).toHaveValue('Buy rye flour');
    // Another cell waits until this one is saved or cancelled.
    await cell(page, 'Buy salt', 'title').dblclick({ position: { x: 4, y: 4 } });
    await expect(input).toHaveCount(1);
    await expect(input).toHaveValue('Buy rye flour');
    await expect(input).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row(page, 'Buy flour')).toBeVisible();
    await cell(page, 'Buy salt', 'title').dblclick();
    await input.fill('Buy sea salt');
    await page.getByRole('link', { name: 'Posts', exact: true }).first().click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page).toHaveURL(/content\/posts/);
    // Nothing is asked where nothing was typed.
    await page.goto('/admin/w/default/content/notes');
    await cell(page, 'Buy salt', 'title').dblclick();
    await expect(input).toBeFocused();
    await page.getByRole('link', { name: 'Posts', exact: true }).first().click();
    await expect(page).toHaveURL(/content\/posts/);
  });

  test('others change the list, and nothing jumps', async ({ page, admin }) => {
    const { id } = await make(admin, 'notes', { title: 'First' });
    await page.goto('/admin/w/default/content/notes');
    await expect(rows(page)).toHaveCount(3);
    await admin.api('PATCH', `content/notes/${id}`, { title: 'First, changed' });
    await expect(row(page, 'First, changed')).toBeVisible();
    await make(admin, 'notes', { title: 'Second' });
    const pill = page.getByRole('button', { name: '1 new' });
    await expect(pill).toBeVisible();
    await expect(row(page, 'Second')).toHaveCount(0);
    await pill.click();
    await expect(rows(page).first()).toContainText('Second');
    await admin.api('DELETE', `content/notes/${id}`);
    await expect(row(page, 'First, changed')).toHaveAttribute('data-muted', 'true');
  });

  test('everything by keyboard', async ({ page, admin }) => {
    await make(admin, 'notes', { title: 'Alpha' });
    await make(admin, 'notes', { title: 'Beta' });
    await page.goto('/admin/w/default/content/notes?sort=-created_at');
    await expect(row(page, 'Beta')).toBeVisible();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('eta');
    await expect(rows(page)).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(row(page, 'Alpha')).toBeVisible();
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('searchbox')).not.toBeFocused();
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: 'Beta' })).toBeFocused();
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: 'Alpha' })).toBeFocused();
    await page.keyboard.press('x');
    await expect(page.getByRole('checkbox', { name: 'Select “Alpha”' })).toBeChecked();
    await page.keyboard.press('k');
    await page.keyboard.press('e');
    await expect(page.locator('td[data-column=title] input')).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Gamma');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Gamma' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/content\/notes\/\w+$/);
    await page.goBack();
    await expect(row(page, 'Gamma')).toBeVisible();
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: 'Alpha' })).toBeFocused();
    await page.keyboard.press('c');
    await expect(page).toHaveURL(/content\/notes\/~new/);
  });
});

test.describe('rights', () => {
  test('a reader reads', async ({ page, admin, become }) => {
    await admin.api('POST', 'roles', {
      label: 'Reader',
      permissions: [
        { effect: 'allow', actions: ['content.read', 'profile.*', 'dashboard.read'], resources: ['*'] },
        { effect: 'deny', actions: ['content.read'], resources: ['content:topics:*'] },
        { effect: 'allow', actions: ['schema.read'], resources: ['schema:*'] },
      ],
    });
    await admin.api('POST', 'users', { username: 'rita', password: 'correct horse', role: 'reader' });
    await become('rita');
    await page.goto(POSTS);
    await expect(rows(page)).toHaveCount(12);
    await expect(page.getByRole('link', { name: 'New entry' })).toHaveCount(0);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await page.getByRole('button', { name: /^Actions for/ }).first().click();
    await expect(page.getByRole('menuitem', { name: 'Open' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Move to trash' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await cell(page, 'Mending a jumper in the open', 'title').dblclick({ position: { x: 4, y: 4 } });
    await expect(page.locator('td[data-column=title] input')).toHaveCount(0);

    await page.goto('/admin/w/default/content/topics');
    await expect(page.getByRole('heading', { name: 'You don’t have access to this' })).toBeVisible();
  });
});

test('the list is free of mistakes for everybody', async ({ page }) => {
  await page.goto(`${POSTS}?filter[author][ne]=nobody&limit=4&columns=title,status,hero,author,featured,updated_at`);
  await expect(rows(page)).toHaveCount(4);
  await checkA11y(page);
});

test('so is the bar for selected entries', async ({ page }) => {
  await page.goto(`${POSTS}?limit=4`);
  await page.getByRole('checkbox', { name: /^Select “/ }).first().click();
  await expect(page.getByRole('region', { name: 'Selected entries' })).toBeVisible();
  await checkA11y(page);
});

test('a message does not cover the bar of what is selected', async ({ page }) => {
  await page.goto('/admin/w/default/content/notes');
  const bar = page.getByRole('region', { name: 'Selected entries' });
  await rows(page).first().getByRole('checkbox').click();
  await bar.getByRole('button', { name: 'Move to trash' }).click();
  const message = page.locator('.mantine-Notification-root');
  await expect(message).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await rows(page).first().getByRole('checkbox').click();
  await expect(bar).toBeVisible();
  // The list goes on below the window, at whose end the bar stands.
  await resizeWindow(page, { width: 1360, height: 420 });
  const gap = async () => {
    const [it, below] = [await message.boundingBox(), await bar.boundingBox()];
    return it && below ? below.y - it.y - it.height : Number.NEGATIVE_INFINITY;
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
});
