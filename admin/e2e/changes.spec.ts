import { type Admin, checkA11y, collectRefused, expect, test } from './harness';

interface Made {
  id: string;
}

interface Entry {
  id: string;
  title: string;
  status: string;
}

/** Two posts of the sample content. */
const JUMPER = '01k4g6ckw0z7b0f2';

async function begin(admin: Admin, label = 'Spring'): Promise<string> {
  return (await admin.api<Made>('POST', 'changes', { label, note: 'For April' })).id;
}

const propose = (admin: Admin, change: string, body: unknown, id = JUMPER) => admin.api('PUT', `content/posts/${id}?change=${change}`, body);
const live = (admin: Admin, id = JUMPER) => admin.api<Entry>('GET', `content/posts/${id}`);

test('a change is begun, renamed, closed, reopened and deleted', async ({ page, admin }) => {
  await page.goto('/admin/w/default/changes');
  await expect(page.getByRole('heading', { name: 'No releases yet' })).toBeVisible();
  await page.keyboard.press('c');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Spring campaign');
  await drawer.getByLabel('Note').fill('Prices and pictures');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('heading', { level: 1, name: 'Spring campaign' })).toBeVisible();
  await expect(page.getByText('Prices and pictures')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No entries in this release yet' })).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit name and note' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Summer campaign');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('heading', { level: 1, name: 'Summer campaign' })).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Close' }).click();
  await expect(page.getByText('Closed. Nothing in it goes live.')).toBeVisible();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByText('Edit it, have it reviewed, and publish it.')).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Releases' })).toBeVisible();
  expect(await admin.api<Made[]>('GET', 'changes')).toEqual([]);
});

test('the list narrows to a state, and the own pending change stands above it', async ({ page, admin }) => {
  await begin(admin, 'Still open');
  const given = await begin(admin, 'Given up');
  await admin.api('PUT', `changes/${given}`, { closed: true });
  await propose(admin, 'pending', { title: 'Mine' });
  await page.goto('/admin/w/default/changes');
  await expect(page.getByRole('link', { name: 'Still open' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Given up' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Closed' }).click();
  await expect(page.getByRole('link', { name: 'Given up' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Still open' })).toHaveCount(0);
  await page.getByRole('button', { name: 'In review' }).click();
  await expect(page.getByText('No releases with this status.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await checkA11y(page);
  await page.getByRole('link', { name: /^Your drafts \d/ }).click();
  await expect(page.getByRole('article', { name: 'Mine' })).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Discard all' }).click();
  const question = page.getByRole('dialog', { name: 'Discard your draft of 1 entry?' });
  await checkA11y(page);
  await question.getByRole('button', { name: 'Discard all' }).click();
  await expect(page.getByText('Drafts discarded')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Your drafts/ })).toHaveCount(0);
});

test('differences are shown, and all of it goes live and comes back', async ({ page, admin }) => {
  const before = await live(admin);
  const id = await begin(admin);
  await propose(admin, id, { title: 'Mending, anew', data: { featured: true } });
  await page.goto(`/admin/w/default/changes/${id}`);
  const entry = page.getByRole('article', { name: 'Mending, anew' });
  await expect(entry.getByRole('region', { name: 'Title' }).locator('ins').first()).toBeVisible();
  await expect(entry.getByText('Changed')).toBeVisible();
  await checkA11y(page);

  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The whole release goes live at once.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('“Spring” is live: 1 entry.')).toBeVisible();
  await expect.poll(async () => (await live(admin)).title).toBe('Mending, anew');
  await expect(page.getByText(/Everything went live on/)).toBeVisible();

  await page.getByRole('alert').getByRole('button', { name: 'Revert' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Revert: Spring' })).toBeVisible();
  await expect(page.getByRole('article', { name: before.title })).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect.poll(async () => (await live(admin)).title).toBe(before.title);
});

test('publishing asks for nothing that there is no more', async ({ page, admin }) => {
  const id = await begin(admin);
  await propose(admin, id, { title: 'Mending, anew' });
  await page.goto(`/admin/w/default/changes/${id}?tab=effect`);
  await expect(page.getByRole('region', { name: 'Effect' })).toContainText('Mending, anew');
  const refused = collectRefused(page);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The whole release goes live at once.')).toBeVisible();
  // The event has the content types fetched anew, with all else that it concerns.
  const reached = page.waitForResponse((it) => it.url().endsWith('/admin/api/content-types') && it.ok());
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText(/Everything went live on/)).toBeVisible();
  await reached;
  await page.getByRole('alert').getByRole('button', { name: 'Revert' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Revert: Spring' })).toBeVisible();
  expect(refused).toEqual([]);
});

test('a draft is published with the release, unless it is to stay a draft', async ({ page, admin }) => {
  await admin.api('POST', 'content-types', { name: 'dishes', label: 'Dishes', fields: { title: { type: 'text' } } });
  const make = async (title: string) => (await admin.api<{ id: string }>('POST', 'content/dishes', { title })).id;
  const [soup, stew] = [await make('Soup'), await make('Stew')];
  const { id } = await admin.api<{ id: string }>('POST', 'changes', { label: 'Menu' });
  const publishes = page.getByRole('checkbox', { name: 'Publish this entry with the release' });
  const into = async (entry: string, change: () => Promise<void>) => {
    await page.goto(`/admin/w/default/content/dishes/${entry}`);
    await change();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Add to release…' }).click();
    await expect(publishes).toBeChecked();
  };
  const add = async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Add to release' }).click();
    await expect(page).toHaveURL(new RegExp(`change=${id}`));
  };
  // As it was stored, there is nothing else to propose.
  await into(soup, async () => {});
  await expect(publishes).toBeDisabled();
  await add();
  await into(stew, async () => await page.locator('#field-title').fill('Goulash'));
  await publishes.uncheck();
  await add();

  await page.goto(`/admin/w/default/changes/${id}`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('1 entry stays a draft, which readers don’t see: “Goulash”.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect.poll(() => admin.api('GET', `content/dishes/${soup}`)).toMatchObject({ status: 'published' });
  expect(await admin.api('GET', `content/dishes/${stew}`)).toMatchObject({ status: 'draft', title: 'Goulash' });
});

test('a conflict is named, and solved field by field', async ({ page, admin }) => {
  const id = await begin(admin);
  await propose(admin, id, { title: 'In the release', data: { excerpt: 'In the release' } });
  await admin.api('PUT', `content/posts/${JUMPER}`, { title: 'Live by now', data: { excerpt: 'Live by now' } });
  await page.goto(`/admin/w/default/changes/${id}`);
  const entry = page.getByRole('article', { name: 'In the release' });
  await expect(entry.getByText('Conflict')).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  const refused = page.getByRole('alert').filter({ hasText: 'Nothing was published' });
  await expect(refused).toBeFocused();
  await expect(refused.getByRole('link', { name: 'In the release' })).toBeVisible();
  // Fields are named as people know them, not by their paths.
  await expect(refused).toContainText('Title: ');
  await expect(refused).not.toContainText('data.');

  const save = entry.getByRole('button', { name: '2 left to decide' });
  await expect(save).toBeDisabled();
  await entry.getByRole('radio', { name: 'Title: Keep the value of this release' }).check();
  const excerpt = entry.getByRole('radiogroup').filter({ has: page.getByRole('radio', { name: /: Keep the live value/ }) }).last();
  await excerpt.getByRole('radio', { name: /Enter another value/ }).check();
  await excerpt.getByRole('textbox').fill('Of both');
  await checkA11y(page);
  // The proposal is never given up on the way: what is not in conflict would be lost with it.
  const deletions: string[] = [];
  page.on('request', (it) => it.method() === 'DELETE' && deletions.push(it.url()));
  await entry.getByRole('button', { name: 'Save choice' }).click();
  await expect(page.getByText('Conflict resolved')).toBeVisible();
  expect(deletions).toEqual([]);
  await expect(entry.getByText('Conflict')).toHaveCount(0);
  await expect(refused).toHaveCount(0);

  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect.poll(() => live(admin)).toMatchObject({ title: 'In the release', data: { excerpt: 'Of both' } });
});

test('an entry is taken out, and one that changed meanwhile is deleted anyway', async ({ page, admin }) => {
  const id = await begin(admin);
  await propose(admin, id, { title: 'Not this time' });
  const other = (await admin.api<Entry[]>('GET', 'content/topics?limit=1'))[0] as Entry;
  await admin.api('DELETE', `content/topics/${other.id}?change=${id}&force=1`);
  await admin.api('PUT', `content/topics/${other.id}`, { title: `${other.title}, edited` });
  await page.goto(`/admin/w/default/changes/${id}`);
  await page.getByRole('button', { name: 'Remove “Not this time” from this release' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from release' }).click();
  await expect(page.getByRole('article', { name: 'Not this time' })).toHaveCount(0);
  const deleted = page.getByRole('article');
  await expect(deleted.getByText('someone has changed it in the meantime')).toBeVisible();
  await deleted.getByRole('button', { name: 'Delete anyway' }).click();
  await expect(deleted.getByText('Publishing moves this entry to the trash.')).toBeVisible();
});

test('a release that deletes what others need says who they are', async ({ page, admin }) => {
  const dish = { type: 'relation', target: 'dishes', on_delete: 'block', label: 'Goes with' };
  await admin.api('POST', 'content-types', { name: 'dishes', label: 'Dishes', fields: { with: dish } });
  const soup = await admin.api<Made>('POST', 'content/dishes', { title: 'Soup' });
  const id = await begin(admin);
  await admin.api('DELETE', `content/dishes/${soup.id}?change=${id}`);
  const bread = await admin.api<Made>('POST', 'content/dishes', { title: 'Bread', with: soup.id });
  await page.goto(`/admin/w/default/changes/${id}`);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  const refused = page.getByRole('alert').filter({ hasText: 'an entry to be deleted is still in use' });
  await expect(refused).toContainText('Dishes · Goes with');
  const link = refused.getByRole('link', { name: 'Bread' });
  await expect(link).toHaveAttribute('href', `/admin/w/default/content/dishes/${bread.id}`);
});

test('a preview link is made, shown once, works and is revoked', async ({ page, admin, server }) => {
  const id = await begin(admin);
  await propose(admin, id, { title: 'Seen by the few' });
  await page.goto(`/admin/w/default/changes/${id}`);
  await page.getByRole('button', { name: 'New preview link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const token = await dialog.getByTestId('preview-token').innerText();
  const read = () => fetch(`${server.url}/api/v1/workspaces/default/content/posts/${JUMPER}?preview=${token}`);
  expect(await (await read()).json()).toMatchObject({ data: { title: 'Seen by the few' } });
  await checkA11y(page);
  await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
  await page.getByRole('button', { name: 'Revoke the link to “The whole release”' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Link revoked')).toBeVisible();
  expect((await read()).status).toBe(401);
});

test('what others do shows by itself', async ({ page, admin }) => {
  const id = await begin(admin);
  await page.goto(`/admin/w/default/changes/${id}`);
  await expect(page.getByRole('heading', { name: 'No entries in this release yet' })).toBeVisible();
  await propose(admin, id, { title: 'By somebody else' });
  await expect(page.getByRole('article', { name: 'By somebody else' })).toBeVisible();
  await admin.api('PUT', `content/posts/${JUMPER}`, { title: 'Live meanwhile' });
  await expect(page.getByRole('article').getByText('Conflict')).toBeVisible();
});

test('the calendar shows a month, and its days by keyboard', async ({ page, admin }) => {
  const soon = new Date(Date.now() + 40 * 24 * 60 * 60 * 1000);
  await admin.api('PUT', `content/posts/${JUMPER}`, { status: 'published', unpublish_at: soon.toISOString().replace(/\.\d+/, '') });
  await page.goto(`/admin/w/default/changes?tab=calendar&month=${soon.toISOString().slice(0, 7)}`);
  await expect(page.getByRole('table')).toBeVisible();
  await page.getByRole('button', { name: /, 1 event$/ }).first().click();
  const day = page.getByRole('region', { name: /^\w+day/ });
  await expect(day.getByRole('link', { name: 'Mending a jumper in the open' })).toBeVisible();
  await expect(day).toContainText('entry is unpublished');
  await page.keyboard.press('ArrowRight');
  await expect(day).toContainText('Nothing is scheduled for this day.');
  await page.keyboard.press('ArrowLeft');
  await expect(day.getByRole('link', { name: 'Mending a jumper in the open' })).toBeVisible();
  const month = await page.locator('#calendar-month').innerText();
  await page.keyboard.press('PageDown');
  await expect(page.getByRole('heading', { level: 2, name: month })).toHaveCount(0);
  await page.keyboard.press('PageUp');
  await expect(page.getByRole('heading', { level: 2, name: month })).toBeVisible();
  await checkA11y(page);
});
