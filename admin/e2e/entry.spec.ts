/** The editor of an entry: writing, saving, refusing, languages, drafts and JSON. */
import type { Locator, Page, Route } from '@playwright/test';
import { Admin, checkA11y, collectRefused, expect, interceptRequests, PASSWORD, test } from './harness';

/** A content type of its own for each test; the id of the entry that is made in it, if one is asked for. */
async function given(admin: Admin, entry?: Record<string, unknown>, type: Record<string, unknown> = {}): Promise<string> {
  await admin.api('POST', 'content-types', {
    name: 'dishes',
    label: 'Dishes',
    fields: {
      title: { type: 'text', required: true },
      lead: { type: 'textarea', label: 'Lead' },
      place: { type: 'text', label: 'Place', layout: { width: '1/2' }, required: true },
      grams: { type: 'number', label: 'Grams', layout: { width: '1/2' }, max: 900 },
      vegan: { type: 'boolean', label: 'Vegan' },
      note: { type: 'text', label: 'Note on vegans', visible_if: { vegan: true } },
      secret: { type: 'text', label: 'Secret', hidden: true },
    },
    ...type,
  });
  if (!entry) return '';
  return (await admin.api<{ id: string }>('POST', 'content/dishes', entry)).id;
}

const DISH = { title: 'Soup', place: 'Stove', lead: 'Hot.' };

async function open(page: Page, id: string, search = ''): Promise<void> {
  await page.goto(`/admin/w/default/content/dishes/${id}${search}`);
  await expect(page.getByRole('textbox', { name: search.includes('json') ? /JSON/ : 'Title', exact: true })).toBeVisible();
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const saved = (page: Page) => expect(page.getByText(/^Saved (now|\d+ seconds? ago)$/).first()).toBeVisible();
const speak = (page: Page, language: string) => page.locator('label', { hasText: language }).click();
const more = (page: Page) => page.getByRole('button', { name: 'More actions' });

test('an entry is made, gets its address, and goes on being edited', async ({ page, admin }) => {
  await given(admin);
  await open(page, '~new');
  await expect(field(page, 'Title')).toBeFocused();
  await expect(page.getByText('Nothing entered yet')).toBeVisible();
  await page.keyboard.type('Über soup');
  await expect(field(page, 'Slug')).toHaveAttribute('placeholder', 'uber-soup');
  await field(page, 'Place').fill('Stove');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.keyboard.press('Control+s');
  await saved(page);
  await expect(page).toHaveURL(/content\/dishes\/[0-9a-z]{16}$/);
  await expect(field(page, 'Slug')).toHaveValue('uber-soup');
  await expect(field(page, 'Place')).toBeFocused();
  await field(page, 'Lead').fill('Warm.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  const id = page.url().split('/').at(-1) ?? '';
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({
    title: 'Über soup',
    status: 'draft',
    data: { place: 'Stove', lead: 'Warm.' },
  });
});

test('only what changed is sent', async ({ page, admin }) => {
  await open(page, await given(admin, DISH));
  await field(page, 'Lead').fill('Cold.');
  const [request] = await Promise.all([
    page.waitForRequest((it) => it.method() === 'PATCH'),
    page.keyboard.press('Control+s'),
  ]);
  expect(request.postDataJSON()).toEqual({ data: { lead: 'Cold.' } });
  expect(await request.headerValue('if-match')).toMatch(/^"\w+"$/);
  await saved(page);
});

test('fields show by their conditions, and hidden ones not at all', async ({ page, admin }) => {
  await open(page, await given(admin, DISH));
  await expect(field(page, 'Note on vegans')).toHaveCount(0);
  await expect(page.getByText('Secret')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Vegan' }).press('Space');
  await expect(field(page, 'Note on vegans')).toBeVisible();
});

test('what is refused is told above and beside the field, and leads there', async ({ page, admin }) => {
  await open(page, await given(admin, DISH));
  await field(page, 'Place').fill('');
  await field(page, 'Title').fill('');
  await page.keyboard.press('Control+s');
  const summary = page.getByRole('alert').filter({ hasText: 'Fix 2 errors' });
  await expect(summary).toBeVisible();
  await expect(field(page, 'Title')).toBeFocused();
  await summary.getByRole('button', { name: 'Place' }).click();
  await expect(field(page, 'Place')).toBeFocused();
  await page.keyboard.type('Oven');
  await expect(page.getByRole('alert').filter({ hasText: 'Fix 1 error' })).toBeVisible();
  await field(page, 'Title').fill('Stew');
  await page.keyboard.press('Control+s');
  await saved(page);
});

test('what is wrong within a row opens the row', async ({ page, admin }) => {
  const rows = { type: 'repeater', label: 'Steps', subfields: [{ key: 'text', type: 'text', label: 'Text', required: true }] };
  const id = await given(admin, { title: 'Soup', steps: [{ text: 'Boil' }, { text: 'Eat' }] }, { fields: { title: { type: 'text' }, steps: rows } });
  await open(page, id, '?tab=json');
  const code = page.getByRole('textbox', { name: 'The entry as JSON' });
  await code.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"title": "Soup", "slug": "soup", "status": "draft", "data": {"steps": [{"text": "Boil"}, {"text": ""}]}}');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('alert').getByRole('button', { name: 'Steps 2 › Text' })).toBeVisible();
  await expect(field(page, 'Text').nth(1)).toBeFocused();
});

test('what is typed and no value yet is not passed over', async ({ page, admin }) => {
  const id = await given(admin, { title: 'Soup' }, { fields: { title: { type: 'text' }, extra: { type: 'json', label: 'Extra' } } });
  await open(page, id);
  await page.getByRole('textbox', { name: 'Extra' }).click();
  await page.keyboard.insertText('{"half":');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('alert').getByRole('button', { name: 'Extra' })).toBeVisible();
  await page.keyboard.insertText('1}');
  await page.keyboard.press('Control+s');
  await saved(page);
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { extra: { half: 1 } } });
});

test('a save that fails stays in sight until one succeeds', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  const answer = { status: 507, headers: {}, json: { error: { code: 'insufficient_storage', message: 'The disk is full.' } } };
  await interceptRequests(page, `**/admin/api/content/dishes/${id}*`, (route) => (route.request().method() === 'PATCH' ? route.fulfill(answer) : route.fallback()));
  await field(page, 'Lead').fill('Cold.');
  await page.keyboard.press('Control+s');
  const bar = page.getByRole('alert').filter({ hasText: 'Not saved:' });
  await expect(bar).toContainText('The disk is full.');
  await field(page, 'Lead').fill('Lukewarm.');
  await expect(bar).toBeVisible();
  await checkA11y(page);
  // The server says when it takes a save again; then it is tried again without being asked.
  await page.unroute(`**/admin/api/content/dishes/${id}*`);
  let busy = true;
  await interceptRequests(page, `**/admin/api/content/dishes/${id}*`, (route) => {
    if (!busy || route.request().method() !== 'PATCH') return route.fallback();
    busy = false;
    return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { error: { code: 'rate_limited', message: 'Too many requests.' } } });
  });
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect(bar).toContainText('Trying again in 1 second');
  await saved(page);
  await expect(bar).toHaveCount(0);
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { lead: 'Lukewarm.' } });
});

test('what is typed while a save is under way is saved after it', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  const hold = (route: Route) => (route.request().method() === 'PATCH' ? released.then(() => route.continue()) : route.continue());
  await interceptRequests(page, `**/admin/api/content/dishes/${id}*`, hold);
  const sent = page.waitForRequest((it) => it.method() === 'PATCH');
  await field(page, 'Lead').fill('Cold.');
  await page.keyboard.press('Control+s');
  await sent;
  await field(page, 'Lead').fill('Lukewarm.');
  await page.keyboard.press('Control+s');
  release();
  await expect.poll(() => admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { lead: 'Lukewarm.' } });
});

test('a save that nobody was logged in for is tried again after the login', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  const endSession = async (route: Route) => {
    if (route.request().method() === 'PATCH') {
      await page.unroute(`**/admin/api/content/dishes/${id}*`);
      await page.context().clearCookies();
    }
    await route.continue();
  };
  await interceptRequests(page, `**/admin/api/content/dishes/${id}*`, endSession);
  await field(page, 'Lead').fill('Cold.');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.locator('[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(() => admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { lead: 'Cold.' } });
  await saved(page);
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved:' })).toHaveCount(0);
});

test('a save in a tab whose session another login replaced is sent once more', async ({ page, admin, server }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  const other = await new Admin(server.url, 'anna').logIn();
  await other.lend(page.context());
  await field(page, 'Lead').fill('Cold.');
  await page.keyboard.press('Control+s');
  await expect.poll(() => admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { lead: 'Cold.' } });
  await saved(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test.describe('a save that does not reach the server', () => {
  test.use({ expectedComplaints: [/Failed to load resource|ERR_|reach the server/] });

  test('is tried again when it answers', async ({ page, admin }) => {
    const id = await given(admin, DISH);
    await open(page, id);
    const lose = async (route: Route) => {
      if (route.request().method() !== 'PATCH') return await route.continue();
      await page.unroute(`**/admin/api/content/dishes/${id}*`);
      await route.abort();
    };
    await interceptRequests(page, `**/admin/api/content/dishes/${id}*`, lose);
    await field(page, 'Lead').fill('Cold.');
    await page.keyboard.press('Control+s');
    // The page asks every few seconds whether the server is there.
    await expect.poll(() => admin.api('GET', `content/dishes/${id}`), { timeout: 20_000 }).toMatchObject({ data: { lead: 'Cold.' } });
    await saved(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('says of a new entry that the server is back, and leaves the rest to the user', async ({ page, admin }) => {
    await given(admin);
    await page.goto('/admin/w/default/content/dishes/~new');
    await field(page, 'Title').fill('Soup');
    await field(page, 'Place').fill('Stove');
    const lose = async (route: Route) => {
      if (route.request().method() !== 'POST') return await route.continue();
      await page.unroute('**/admin/api/content/dishes*');
      await route.abort();
    };
    await interceptRequests(page, '**/admin/api/content/dishes*', lose);
    await page.keyboard.press('Control+s');
    const bar = page.getByRole('alert').filter({ hasText: 'Not saved:' });
    await expect(bar).toContainText('The server is back. Try again.');
    expect(await admin.api('GET', 'content/dishes')).toEqual([]);
    await bar.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => admin.api('GET', 'content/dishes')).toMatchObject([{ title: 'Soup' }]);
    await expect(bar).toHaveCount(0);
  });
});

test('it is published, scheduled and taken back', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  await page.getByRole('main').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 }).locator('..').getByText('Published')).toBeVisible();
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  await expect(page.getByRole('heading', { level: 1 }).locator('..').getByText('Draft')).toBeVisible();
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Schedule…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save and schedule' }).click();
  await expect(dialog.getByText(/Choose/)).toBeVisible();
  // A time that is none is neither forgotten nor planned with.
  const time = dialog.getByRole('textbox', { name: /: time$/ });
  await dialog.getByRole('textbox', { name: /: date$/ }).fill('2040-11-30');
  await time.fill('25:00');
  await dialog.getByRole('button', { name: 'Save and schedule' }).click();
  await expect(time).toHaveValue('25:00');
  await expect(dialog.getByText('This isn’t a valid time')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('it ends, and is published again without an end', async ({ page, admin }) => {
  const dates = { published_at: '2020-01-01T00:00:00Z', unpublish_at: '2021-01-01T00:00:00Z' };
  const id = await given(admin, { ...DISH, status: 'published', ...dates });
  await page.goto('/admin/w/default/content/dishes');
  await expect(page.getByRole('row', { name: /Soup/ }).getByText('Expired')).toBeVisible();
  await open(page, id);
  const chip = page.getByRole('heading', { level: 1 }).locator('..');
  await expect(chip.getByText('Expired')).toBeVisible();
  await page.getByRole('button', { name: 'Clear “Unpublish on”' }).click();
  await page.keyboard.press('Control+s');
  await expect(chip.getByText('Published')).toBeVisible();
  expect(await admin.api('GET', `content/dishes/${id}`)).not.toHaveProperty('unpublish_at');
});

test('it goes to the trash and comes back', async ({ page, admin }) => {
  await open(page, await given(admin, DISH));
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await expect(page).toHaveURL(/content\/dishes$/);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(field(page, 'Title')).toHaveValue('Soup');
});

test('nothing is asked about an entry that has just gone to the trash', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  await expect(page.getByText('No other entry refers to this one.')).toBeVisible();
  const refused = collectRefused(page);
  // The event of the deletion has all that it concerns fetched anew, the content types among it.
  const reached = page.waitForResponse((it) => it.url().endsWith('/admin/api/content-types') && it.ok());
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await expect(page).toHaveURL(/content\/dishes$/);
  await reached;
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(field(page, 'Title')).toHaveValue('Soup');
  expect(refused).toEqual([]);
});

test('what others refer to goes only when asked', async ({ page }) => {
  const topic = '/admin/w/default/content/topics/01jndj0mt09kzt19';
  await page.goto(topic);
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  const dialog = page.getByRole('dialog', { name: /Other entries refer to/ });
  await expect(dialog.getByRole('link', { name: 'The long way to the bakery' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(topic);
  // In the list it is asked, too.
  await page.goto('/admin/w/default/content/topics');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('region', { name: 'Selected entries' }).getByRole('button', { name: 'Move to trash' }).click();
  const many = page.getByRole('dialog', { name: /Other entries refer to some of these/ });
  await expect(many.getByText('They are used in 15 places.')).toBeVisible();
  await expect(many.getByRole('link').first()).toBeVisible();
  await many.getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText('4 entries moved to trash')).toBeVisible();
});

test('an entry that others need stays, and says who they are', async ({ page, admin }) => {
  const to = { type: 'relation', target: 'dishes', on_delete: 'block' };
  const soup = await given(admin, { title: 'Soup' }, { fields: { with: { ...to, label: 'Goes with' } } });
  await admin.api('POST', 'content/dishes', { title: 'Bread', with: soup });
  await open(page, soup);
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await page.getByRole('dialog', { name: /Other entries refer to/ }).getByRole('button', { name: 'Move to trash' }).click();
  const kept = page.getByRole('dialog', { name: '“Soup” can’t be deleted' });
  await expect(kept.getByRole('link', { name: 'Bread' })).toBeVisible();
  await checkA11y(page);
  await kept.getByRole('button', { name: 'Close' }).last().click();
  await expect(field(page, 'Title')).toHaveValue('Soup');
});

test('copies are entries of their own', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  await field(page, 'Lead').fill('Another.');
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Save as copy' }).click();
  await expect(page).not.toHaveURL(new RegExp(`${id}$`));
  // The copy has nothing unsaved; until then it is the entry that was copied.
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await expect(field(page, 'Lead')).toHaveValue('Another.');
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { lead: 'Hot.' } });
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(field(page, 'Title')).toHaveValue('Copy of Soup');
});

test('saving goes on to the next new entry', async ({ page, admin }) => {
  await given(admin);
  await open(page, '~new');
  await field(page, 'Title').fill('One');
  await field(page, 'Place').fill('Here');
  await more(page).click();
  await page.getByRole('menuitem', { name: 'Save and create another' }).click();
  await expect(page.getByText('Nothing entered yet')).toBeVisible();
  await expect(field(page, 'Title')).toHaveValue('');
  await expect(page).toHaveURL(/~new$/);
  await field(page, 'Title').fill('Two');
  await field(page, 'Place').fill('There');
  await page.keyboard.press('Control+s');
  await saved(page);
  expect(await admin.api('GET', 'content/dishes')).toHaveLength(2);
});

test('who may not change it is told so', async ({ page, admin, another }) => {
  const id = await given(admin, DISH);
  const role = await admin.api<{ id: string }>('POST', 'roles', {
    label: 'Reader',
    permissions: [
      { effect: 'allow', actions: ['content.read'], resources: ['content:*'] },
      { effect: 'allow', actions: ['schema.read'], resources: ['schema:*'] },
    ],
  });
  await admin.api('POST', 'users', { username: 'rita', password: PASSWORD, role: role.id });
  const rita = await another('rita');
  await open(rita, id);
  await expect(rita.getByText('you need the permission “content.update”')).toBeVisible();
  await expect(field(rita, 'Lead')).toHaveAttribute('readonly');
  await expect(rita.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
  await rita.goto('/admin/w/default/content/dishes/~new');
  await expect(rita.getByText('content.create')).toBeVisible();
  await page.goto('/admin/w/default/content/dishes/nowhere');
  await expect(page.getByText('Page not found')).toBeVisible();
});

test('it is all done with the keyboard', async ({ page, admin }) => {
  await given(admin);
  await open(page, '~new');
  await expect(field(page, 'Title')).toBeFocused();
  await page.keyboard.type('Bread');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Dark crust.');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Place')).toBeFocused();
  await page.keyboard.type('Oven');
  await page.keyboard.press('Escape');
  await expect(field(page, 'Place')).not.toBeFocused();
  await page.keyboard.press('Control+s');
  await saved(page);
  await more(page).focus();
  await page.keyboard.press('Enter');
  // Arrows move the focus once it is inside.
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Add to release…' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('main').getByRole('button', { name: 'Publish', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 }).locator('..').getByText('Published')).toBeVisible();
});

test.describe('languages', () => {
  const localized = { locales: ['en', 'de'], default_locale: 'en', root_locale: 'en' };
  const fields = {
    title: { type: 'text', required: true },
    lead: { type: 'textarea', label: 'Lead' },
    place: { type: 'text', label: 'Place', required: true },
    grams: { type: 'number', label: 'Grams', localized: false },
    vegan: { type: 'boolean', label: 'Vegan' },
    note: { type: 'text', label: 'Note' },
    steps: { type: 'repeater', label: 'Steps', subfields: [{ key: 'text', label: 'Text', type: 'text' }] },
  };

  test('are edited each for itself and side by side, with what the source changed since', async ({ page, admin }) => {
    const id = await given(admin, { ...DISH, note: 'Salty.', grams: 5, steps: [{ text: 'Chop' }, { text: 'Boil' }] }, { ...localized, fields });
    await open(page, id);
    await speak(page, 'German');
    await expect(page).toHaveURL(/locale=de/);
    await expect(field(page, 'Lead')).toHaveValue('');
    await expect(page.getByText('Not translated. Readers see English.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Translate side by side' }).click();
    const target = page.getByRole('combobox', { name: 'Translate to' });
    await expect(target).toHaveValue('German · 0 of 5 translated');
    await expect(target).toBeFocused();
    const pair = (name: string) => page.getByRole('group', { name, exact: true });
    await expect(pair('Lead').getByRole('blockquote')).toHaveText('Hot.');

    // From field to field by keyboard, and the source as a start.
    await page.keyboard.press('Alt+PageDown');
    await expect(field(page, 'Title')).toBeFocused();
    await page.keyboard.type('Suppe');
    await page.keyboard.press('Alt+PageDown');
    await expect(field(page, 'Lead')).toBeFocused();
    await page.getByRole('button', { name: 'Copy to German: Lead' }).press('Enter');
    await expect(field(page, 'Lead')).toHaveValue('Hot.');
    await expect(field(page, 'Lead')).toBeFocused();
    await field(page, 'Lead').fill('Heiß.');
    await expect(target).toHaveValue('German · 2 of 5 translated');
    await page.getByRole('button', { name: 'Copy 3 fields from English' }).click();
    await expect(field(page, 'Place')).toHaveValue('Stove');
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
    const [quoted, row] = [pair('Steps').getByRole('listitem').filter({ hasText: 'Boil' }).first(), page.locator('[data-row]').nth(1)];
    await expect.poll(async () => Math.abs((await top(quoted)) - (await top(row)))).toBeLessThan(5);
    await page.getByRole('button', { name: /^Undo: change 3 fields/ }).click();
    await expect(field(page, 'Place')).toHaveValue('');

    // One save writes both languages.
    await page.getByRole('button', { name: 'Edit English: Lead' }).click();
    await expect(field(page, 'Lead (English)')).toBeFocused();
    await field(page, 'Lead (English)').fill('Very hot.');
    await checkA11y(page);
    await page.getByRole('button', { name: 'Done: Lead (English)' }).click();
    await expect(page.getByText('1 field not saved')).toBeVisible();
    await expect(page.getByText('2 fields not saved')).toBeVisible();
    const [request] = await Promise.all([
      page.waitForRequest((it) => it.method() === 'PATCH'),
      page.keyboard.press('Control+s'),
    ]);
    expect(request.postDataJSON()).toEqual({
      locale: 'en',
      data: { lead: 'Very hot.' },
      translations: { de: { title: 'Suppe', data: { lead: 'Heiß.' } } },
    });
    await saved(page);
    await expect(page.getByText('English changed since')).toHaveCount(0);

    // Somebody changes the source.
    await admin.api('PATCH', `content/dishes/${id}`, { locale: 'en', data: { lead: 'Very cold.' } });
    await page.goto(`/admin/w/default/content/dishes/${id}?locale=de&compare=en&only=changed`);
    await expect(page.getByText('English changed since')).toBeVisible();
    await expect(field(page, 'Title')).toHaveCount(0);
    await page.getByRole('button', { name: 'Show changes' }).press('Enter');
    await expect(pair('Lead').locator('del')).toContainText('hot');
    await expect(pair('Lead').locator('ins')).toContainText('cold');
    await checkA11y(page);
    await field(page, 'Lead').fill('Eiskalt.');
    await expect(page.getByText('English changed since')).toHaveCount(0);
    await page.getByRole('button', { name: 'Missing 3' }).click();
    await expect(field(page, 'Lead')).toHaveCount(0);
    await expect(field(page, 'Place')).toBeVisible();
    await page.getByRole('button', { name: 'All 6' }).click();
    await page.getByRole('button', { name: '1 field is the same in all languages' }).click();
    await expect(field(page, 'Grams')).toHaveValue('5');
    await checkA11y(page);
    await page.getByRole('button', { name: 'Close side by side' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Translate side by side' })).toBeFocused();
    await page.getByRole('button', { name: 'More actions for this language' }).click();
    await page.getByRole('menuitem', { name: 'Remove translation: German' }).click();
    await page.keyboard.press('Control+s');
    await saved(page);
    await expect.poll(async () => (await admin.api<{ locales: string[] }>('GET', `content/dishes/${id}`)).locales).toEqual(['en']);
  });

  test('say which of them is wrong', async ({ page, admin }) => {
    const id = await given(admin, DISH, {
      ...localized,
      fields: { title: { type: 'text' }, lead: { type: 'text', label: 'Lead', max_length: 5 } },
    });
    await open(page, id, '?locale=de');
    await field(page, 'Lead').fill('much too long');
    await speak(page, 'English');
    await page.keyboard.press('Control+s');
    const link = page.getByRole('alert').getByRole('button', { name: 'Lead (German)' });
    await expect(link).toBeVisible();
    await expect(page).toHaveURL(/locale=de/);
    await expect(field(page, 'Lead')).toBeFocused();
  });
});

test('what was not saved is kept on this device, and found again', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  await field(page, 'Lead').fill('Not saved.');
  await expect(page.getByText('kept on this device')).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('You have unsaved changes on this device')).toBeVisible();
  await expect(field(page, 'Lead')).toHaveValue('Hot.');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('dialog').getByText('Unsaved', { exact: true })).toBeVisible();
  await checkA11y(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Not saved.');
  await page.keyboard.press('Control+s');
  await saved(page);
  await page.reload();
  await expect(field(page, 'Lead')).toHaveValue('Not saved.');
  await expect(page.getByText('You have unsaved changes on this device')).toHaveCount(0);
});

test('the last letters before a page is left are kept, too', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  page.on('dialog', (dialog) => void dialog.accept());
  await field(page, 'Lead').fill('Typed just now.');
  await page.reload();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Typed just now.');
  // Within the interface it is the same.
  await field(page, 'Place').fill('Typed just now, too.');
  await page.getByRole('link', { name: 'Dishes' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/dishes$/);
  await open(page, id);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Typed just now.');
  await expect(field(page, 'Place')).toHaveValue('Typed just now, too.');
});

test('who types without a pause finds it kept all the same', async ({ page, admin }) => {
  await open(page, await given(admin, DISH));
  await field(page, 'Lead').focus();
  const kept = async () => {
    await page.keyboard.type('a');
    return await page.evaluate(() => Object.keys(localStorage).some((it) => it.startsWith('recto.draft.')));
  };
  await expect.poll(kept, { intervals: [50] }).toBe(true);
  await expect(page.getByText('kept on this device')).toBeVisible();
});

test('what is kept on this device is discarded, and that is taken back', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  await field(page, 'Lead').fill('Not saved.');
  await expect(page.getByText('kept on this device')).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  const found = page.getByText('You have unsaved changes on this device');
  const count = () => page.evaluate(() => Object.keys(localStorage).filter((it) => it.startsWith('recto.draft.')).length);
  await page.reload();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(found).toHaveCount(0);
  await expect(page.getByText('Unsaved changes discarded')).toBeVisible();
  await expect.poll(count).toBe(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(found).toBeVisible();
  expect(await count()).toBe(1);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Not saved.');
});

test.describe('what several tabs have not saved', () => {
  const found = (page: Page) => page.getByText('You have unsaved changes on this device');
  const isKept = (page: Page) => expect(page.getByText('kept on this device')).toBeVisible();
  /** The ends of the keys of all drafts: the address that each was typed at. */
  const places = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter((it) => it.startsWith('recto.draft.')).map((it) => it.replace(/.*[/](.*)#.*/, '$1')));

  // What is left unsaved on purpose may be left.
  test.beforeEach(({ page }) => void page.on('dialog', (dialog) => void dialog.accept()));

  /** Closes a tab as a crash does; then the browser knows of so many forms. */
  const kill = async (tab: Page, witness: Page, left: number) => {
    await tab.close();
    const forms = () => witness.evaluate(async () => ((await navigator.locks.query()).held ?? []).filter((it) => it.name?.startsWith('recto.form.')).length);
    await expect.poll(forms).toBe(left);
  };

  test('outlasts the save of another', async ({ page, admin }) => {
    const id = await given(admin, DISH);
    const other = await page.context().newPage();
    await open(other, id);
    await field(other, 'Lead').fill('Not saved.');
    await isKept(other);
    await open(page, id);
    await field(page, 'Title').fill('Stew');
    await page.keyboard.press('Control+s');
    await saved(page);
    // What is still open elsewhere is nothing to be restored here.
    await expect(found(page)).toHaveCount(0);
    await kill(other, page, 1);
    await page.reload();
    await expect(found(page)).toBeVisible();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(field(page, 'Lead')).toHaveValue('Not saved.');
    await expect(field(page, 'Title')).toHaveValue('Stew');
    await isKept(page);
    await page.keyboard.press('Control+s');
    await expect.poll(() => places(page)).toEqual([]);
  });

  test('is offered one after the other', async ({ page, admin }) => {
    const id = await given(admin, DISH);
    const tabs = [await page.context().newPage(), await page.context().newPage()];
    for (const tab of tabs) await open(tab, id);
    for (const [at, tab] of tabs.entries()) {
      await field(tab, 'Lead').fill(`Number ${at}.`);
      await isKept(tab);
    }
    await page.goto('/admin/w/default/content/dishes');
    for (const [at, tab] of tabs.entries()) await kill(tab, page, tabs.length - at - 1);
    await open(page, id);
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(field(page, 'Lead')).toHaveValue('Number 1.');
    // The other is about the same field: it has to be compared.
    await page.getByRole('button', { name: 'Restore' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Lead: Unsaved' }).check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(field(page, 'Lead')).toHaveValue('Number 0.');
    await expect(found(page)).toHaveCount(0);
  });

  test('stays at the address where nobody decided about it', async ({ page, admin }) => {
    await given(admin);
    const other = await page.context().newPage();
    await open(other, '~new');
    await field(other, 'Title').fill('Article A');
    await isKept(other);
    await page.goto('/admin/w/default/content/dishes');
    await kill(other, page, 0);
    await open(page, '~new');
    await expect(found(page)).toBeVisible();
    await field(page, 'Title').fill('Article B');
    await field(page, 'Place').fill('Here');
    await page.keyboard.press('Control+s');
    await expect(page).not.toHaveURL(/~new/);
    await expect(found(page)).toHaveCount(0);
    await field(page, 'Lead').fill('More.');
    await isKept(page);
    await page.keyboard.press('Control+s');
    await expect.poll(() => places(page)).toEqual(['~new']);
    await open(page, '~new');
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(field(page, 'Title')).toHaveValue('Article A');
  });
});

test('nothing unsaved is left without a question', async ({ page, admin }) => {
  await open(page, await given(admin, DISH));
  await field(page, 'Lead').fill('Not saved.');
  await page.getByRole('link', { name: 'Dishes' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Leave this page?' });
  await dialog.getByRole('button', { name: 'Stay on page' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Not saved.');

  // Nor by logging out, which has not happened for whoever stays.
  const logOut = async () => {
    await page.getByRole('button', { name: 'Account of anna' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
  };
  await logOut();
  await dialog.getByRole('button', { name: 'Stay on page' }).click();
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await saved(page);
  await field(page, 'Lead').fill('Not saved either.');
  await logOut();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('the question whether to leave ends with the save that it came before', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await interceptRequests(page, `**/admin/api/content/dishes/${id}*`, async (route) => {
    if (route.request().method() === 'PATCH') await released;
    await route.fallback();
  });
  await field(page, 'Lead').fill('Saved in time.');
  await page.keyboard.press('Control+s');
  await page.getByRole('link', { name: 'Dishes' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Leave this page?' })).toBeVisible();
  release();
  await expect(page).toHaveURL(/content\/dishes$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { lead: 'Saved in time.' } });
});

test('the whole entry is edited as JSON', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  await page.getByText('JSON', { exact: true }).click();
  const code = page.getByRole('textbox', { name: 'The entry as JSON' });
  await expect(code).toContainText('"title": "Soup"');
  await code.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"title": "Soup", "data": {"grams": 12345678901234567890}}');
  await expect(page.getByText('too many digits for the browser: 12345678901234567890')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"title": "Stew", "id": "other", ');
  await expect(page.getByText('This JSON can’t be read')).toBeVisible();
  await page.keyboard.insertText('"slug": "soup", "status": "draft", "data": {"place": "Stove", "lead": "Thick."}}');
  await expect(page.getByText('This value can’t be changed here')).toBeVisible();
  await page.keyboard.press('Control+s');
  await saved(page);
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ id, title: 'Stew', data: { lead: 'Thick.' } });
  await checkA11y(page);
});

test('JSON that cannot be read yet counts as a change, and is not lost', async ({ page, admin }) => {
  const id = await given(admin, DISH);
  await open(page, id);
  page.on('dialog', (dialog) => void dialog.accept());
  await field(page, 'Title').fill('Stew');
  await page.getByText('JSON', { exact: true }).click();
  const code = page.getByRole('textbox', { name: 'The entry as JSON' });
  await code.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"title": "Stew", "slug": "soup", "status": "draft", "data": {"place": "Stove", "lead": "Thi');
  // What changes elsewhere leaves the text alone.
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(page.getByRole('heading', { name: 'Soup' })).toBeVisible();
  await expect(code).toContainText('"lead": "Thi');
  await expect(page.getByText('Unsaved changes')).toBeVisible();

  // Neither the page nor the tab is left without a question.
  await page.getByRole('link', { name: 'Dishes' }).first().click();
  await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Stay on page' }).click();
  await page.getByText('Fields', { exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Discard the unreadable JSON?' });
  await checkA11y(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(code).toContainText('"lead": "Thi');

  // It is kept on the device, and goes on from there.
  await page.goto(`/admin/w/default/content/dishes/${id}`);
  await expect(field(page, 'Title')).toHaveValue('Soup');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(code).toContainText('"lead": "Thi');
  await code.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('ck."}}');
  await expect(page.getByText('This JSON can’t be read')).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await saved(page);
  // The title was undone, and the text did not change it.
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ title: 'Soup', data: { lead: 'Thick.' } });

  await code.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('!');
  await page.getByText('Fields', { exact: true }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(field(page, 'Lead')).toHaveValue('Thick.');
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await page.getByText('JSON', { exact: true }).click();
  await expect(code).toContainText('"lead": "Thick."');
});

test('JSON of a field that cannot be read yet counts as a change, and is not lost', async ({ page, admin }) => {
  const id = await given(admin, { title: 'Soup', extra: { half: 1 } }, { fields: { title: { type: 'text' }, extra: { type: 'json', label: 'Extra' } } });
  await open(page, id);
  page.on('dialog', (dialog) => void dialog.accept());
  const extra = page.getByRole('textbox', { name: 'Extra' });
  const typeBroken = async () => {
    await extra.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"whole": ');
    await expect(page.getByText('Unsaved changes')).toBeVisible();
  };
  await typeBroken();
  await page.getByRole('link', { name: 'Dishes' }).first().click();
  await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Stay on page' }).click();
  // It comes back with its input, and from the device.
  await page.getByText('JSON', { exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'The entry as JSON' })).toContainText('"half": 1');
  await page.keyboard.press('Control+s');
  await expect(extra).toContainText('{"whole": ');
  await page.reload();
  await expect(extra).toContainText('"half": 1');
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(extra).toContainText('{"whole": ');
  await extra.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('2}');
  await page.keyboard.press('Control+s');
  await saved(page);
  expect(await admin.api('GET', `content/dishes/${id}`)).toMatchObject({ data: { extra: { whole: 2 } } });
  // Typed back to what it was, it is no change.
  await typeBroken();
  await page.keyboard.insertText('2}');
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
});

test('JSON of a row that cannot be read yet moves and goes with its row', async ({ page, admin }) => {
  const parts = { type: 'repeater', label: 'Parts', subfields: [{ key: 'extra', type: 'json', label: 'Extra' }] };
  const id = await given(admin, { title: 'Soup', parts: [{ extra: { part: 1 } }, { extra: { part: 2 } }] }, { fields: { title: { type: 'text' }, parts } });
  await open(page, id);
  const rows = page.getByRole('group', { name: 'Parts' }).getByRole('listitem');
  const extra = (at: number) => rows.nth(at).getByRole('textbox', { name: 'Extra' });
  for (const at of [0, 1]) if (!(await extra(at).isVisible())) await rows.nth(at).getByRole('button', { expanded: false }).first().click();
  await extra(0).click();
  await page.keyboard.insertText('{"whole": ');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.keyboard.press('Escape');
  await rows.nth(0).getByRole('button', { name: /^Actions|^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Move down' }).click();
  await expect(extra(1)).toContainText('{"whole": ');
  await expect(extra(0)).toContainText('"part": 2');
  const texts = () =>
    page.evaluate(() => {
      const key = Object.keys(localStorage).find((it) => it.startsWith('recto.draft.')) ?? '';
      return (JSON.parse(localStorage.getItem(key) ?? '{}') as { texts?: object }).texts;
    });
  await expect.poll(texts).toEqual({ 'parts[1].extra': expect.stringContaining('{"whole": ') });
  await rows.nth(1).getByRole('button', { name: /^Actions|^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect.poll(texts).toBeUndefined();
});

test('a single page that does not exist yet is made', async ({ page, admin }) => {
  await given(admin, undefined, { singleton: true });
  await open(page, 'dishes');
  await field(page, 'Title').fill('The page');
  await field(page, 'Place').fill('Here');
  await page.keyboard.press('Control+s');
  await saved(page);
  expect(await admin.api('GET', 'content/dishes/dishes')).toMatchObject({ title: 'The page' });
});

test('the editor is open to everybody', async ({ page }) => {
  await page.goto('/admin/w/default/content/topics/01jndj0mt09kzt19');
  await expect(page.getByRole('heading', { name: 'Used in' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'The long way to the bakery' })).toBeVisible();
  await checkA11y(page);
});
