/**
 * A release from its beginning to its end: two editors prepare ten entries of three types with a new
 * picture, look at them on the site, agree, plan, and take all of it back. On the way,
 * `npm run pictures` takes the pictures of changes in docs/INTERFACE.md.
 */
import type { Page } from '@playwright/test';
import { Admin, expect, PASSWORD, picture, type Server } from './harness';
import { PICTURE, postsOf, type Site, test } from './site';

test.use({ sample: false });

const TYPES = ['posts', 'beds', 'gardeners'] as const;
const LABEL = 'Summer on the balcony';

interface Entry {
  id: string;
  slug: string;
  title: string;
  updated_at: string;
  updated_by: string;
}

/** The ids of what is live before the release, by slug. */
type Ids = Readonly<Record<string, string>>;

/** A blog with three types, and two editors. */
async function given(admin: Admin, site: Site): Promise<Ids> {
  await admin.api('PUT', 'workspaces/default', { label: 'Balcony' });
  await admin.api('POST', 'content-types', { ...postsOf(site), icon: 'newspaper' });
  const bed = { title: { type: 'text', label: 'Name' }, plants: { type: 'textarea', label: 'Plants' } };
  await admin.api('POST', 'content-types', { name: 'beds', label: 'Beds', icon: 'sprout', drafts: true, fields: bed });
  const gardener = { title: { type: 'text', label: 'Name' }, about: { type: 'textarea', label: 'About' } };
  await admin.api('POST', 'content-types', { name: 'gardeners', label: 'Gardeners', icon: 'user-round', fields: gardener });
  const ids: Record<string, string> = {};
  const publish = async (type: string, entry: object) => {
    const { id, slug } = await admin.api<Entry>('POST', `content/${type}`, { ...entry, status: 'published' });
    ids[slug] = id;
  };
  await publish('posts', { title: 'Radishes', summary: 'Twenty-six days.', body: 'I wrote the date on a lolly stick.' });
  await publish('posts', { title: 'Nine pots', summary: 'Facing west.', body: 'There is room for nine pots and one chair.' });
  await publish('posts', { title: 'The courgette incident', body: 'It took the chair.' });
  await publish('beds', { title: 'The long box', plants: 'Salad' });
  await publish('beds', { title: 'The empty pot', plants: 'Nothing, for luck' });
  await publish('gardeners', { title: 'Ida', about: 'Owns the chair.' });
  for (const username of ['ida', 'tom']) await admin.api('POST', 'users', { username, password: PASSWORD, role: 'editor' });
  return ids;
}

/** Returns what everybody reads of a type, byte by byte. */
async function readPublic(server: Server, type: string, query = ''): Promise<string> {
  return await (await fetch(`${server.url}/api/v1/workspaces/default/content/${type}?sort=title${query}`)).text();
}

const readAll = (server: Server) => Promise.all(TYPES.map((type) => readPublic(server, type)));

const listed = (answer: string) => (JSON.parse(answer) as { data: Entry[] }).data;
const titles = (answer: string) => listed(answer).map((it) => it.title);
/** Returns the entries without when and by whom they were changed last. */
const lasting = (answer: string) => listed(answer).map(({ updated_at: _, updated_by: __, ...rest }) => rest);

const main = (page: Page) => page.getByRole('main');
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function openEntry(page: Page, address: string): Promise<void> {
  await page.goto(`/admin/w/default/content/${address}`);
  await expect(page.locator('#field-title')).toBeVisible();
}

/** Makes what is in the form a part of the release. */
async function saveIntoRelease(page: Page): Promise<void> {
  await main(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Add to release…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to release' });
  await dialog.getByRole('radio', { name: LABEL }).check();
  await dialog.getByRole('button', { name: 'Add to release' }).click();
  await expect(page.getByText(`You’re viewing this entry as it will be in the release “${LABEL}”.`)).toBeVisible();
}

/** Begins the release, and proposes five of its entries by hand. */
async function proposeByHand(page: Page, ids: Ids): Promise<string> {
  await page.goto('/admin/w/default/changes');
  await page.getByRole('button', { name: 'New release' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill(LABEL);
  await page.getByRole('dialog').getByLabel('Note').fill('What has grown since May. Goes live together, pictures included.');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: LABEL })).toBeVisible();
  const change = page.url().split('/').pop() ?? '';

  await openEntry(page, `posts/${ids.radishes}`);
  await page.locator('#field-title').fill('Radishes, the second row');
  await field(page, 'Summary').fill('Twenty-four days this time.');
  await saveIntoRelease(page);

  await openEntry(page, 'posts/~new');
  await page.locator('#field-title').fill('Eleven radishes');
  await field(page, 'Summary').fill('Of which nine look like the picture on the packet.');
  await field(page, 'Text').click();
  await page.keyboard.type('On day twenty-six I pulled up eleven radishes.');
  await page.getByRole('button', { name: 'Picture: choose file' }).click();
  const picker = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await picker.getByRole('button', { name: 'Upload' }).click();
  await (await chooser).setFiles(PICTURE);
  await picker.getByRole('button', { name: 'Use' }).click();
  await expect(page.getByRole('group', { name: 'Picture' }).getByText('radishes.png', { exact: true })).toBeVisible();
  await chooseStatus(page, 'Published');
  await saveIntoRelease(page);

  await openEntry(page, `posts/${ids['the-courgette-incident']}?change=${change}`);
  await main(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await expect(page.getByText('Deletion of “The courgette incident” saved as a draft.', { exact: false })).toBeVisible();

  await openEntry(page, `beds/${ids['the-long-box']}`);
  await field(page, 'Plants').fill('Salad, and a second row of radishes');
  await saveIntoRelease(page);

  // Of a type without drafts: what is saved without a change is public at once, what is saved into one is not.
  await openEntry(page, `gardeners/${ids.ida}`);
  await field(page, 'About').fill('Shares the chair.');
  await saveIntoRelease(page);
  return change;
}

async function chooseStatus(page: Page, status: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: status, exact: true }).click();
}

/** Proposes the other five as a script would. */
async function proposeByScript(ida: Admin, change: string, ids: Ids): Promise<void> {
  const propose = (method: string, place: string, body?: unknown) => ida.api(method, `content/${place}?change=${change}`, body);
  await propose('PATCH', `posts/${ids['nine-pots']}`, { summary: 'Facing west, and one of them is new.' });
  await propose('POST', 'posts', { title: 'The first tomato', summary: 'One.', body: 'It was warm from the sun.', status: 'published' });
  await propose('POST', 'beds', { title: 'The hanging basket', plants: 'Strawberries', status: 'published' });
  await propose('DELETE', `beds/${ids['the-empty-pot']}`);
  await propose('POST', 'gardeners', { title: 'Tom', about: 'Brought the second chair.', status: 'published' });
}

const AFTER = [
  ['Eleven radishes', 'Nine pots', 'Radishes, the second row', 'The first tomato'],
  ['The hanging basket', 'The long box'],
  ['Ida', 'Tom'],
];

/** Checks that a page of the site shows the release. */
async function expectRelease(reader: Page, site: Site, token: string): Promise<void> {
  await reader.goto(`${site.url}/consumer.html?recto=${token}#eleven-radishes`);
  await expect(reader.getByText('This is a preview.')).toBeVisible();
  await expect(reader.getByRole('heading', { level: 2 })).toHaveText('Eleven radishes');
  await expectPicture(reader.locator('article img'));
  await reader.getByRole('link', { name: 'Balcony' }).click();
  await expect(reader.getByRole('heading', { level: 2 })).toHaveCount(4);
  for (const title of AFTER[0] ?? []) await expect(reader.getByRole('heading', { level: 2, name: title })).toBeVisible();
}

/** Waits until a picture is loaded. */
async function expectPicture(image: ReturnType<Page['locator']>): Promise<void> {
  await expect.poll(() => image.evaluate((it: HTMLImageElement) => it.complete && it.naturalWidth)).toBe(640);
}

/** Plans the change that is shown, by its form. */
async function plan(page: Page, at: Date): Promise<void> {
  await main(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule release' });
  const zone = { timeZone: 'Europe/Berlin' } as const;
  await dialog.getByLabel('Publish on: date', { exact: true }).fill(at.toLocaleDateString('en-GB', { ...zone, day: 'numeric', month: 'long', year: 'numeric' }));
  await dialog.getByLabel('Publish on: time', { exact: true }).fill(at.toLocaleTimeString('en-GB', zone));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden({ timeout: 10_000 });
}

const publicationOf = (page: Page) => page.getByRole('region', { name: 'Publication' });

async function askForReview(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Request review' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request review' });
  await dialog.getByRole('textbox').fill(note);
  await dialog.getByRole('button', { name: 'Request review' }).click();
  await expect(dialog).toBeHidden();
  await expect(publicationOf(page)).toContainText('Needs 1 more approval before it can be published.');
}

test('two editors release ten entries of three types with a new picture, and take them back', async ({ page, admin, server, site, become, another, browser }) => {
  test.setTimeout(240_000);
  const ids = await given(admin, site);
  const before = await readAll(server);
  await page.goto('/admin/system/settings');
  await page.getByLabel('Required approvals').fill('1');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Settings saved')).toBeVisible();

  await become('ida');
  const ida = await new Admin(server.url, 'ida').logIn();
  const change = await proposeByHand(page, ids);
  await proposeByScript(ida, change, ids);
  expect(await readAll(server)).toEqual(before);

  // Ida looks at the new post on the site, beside the form.
  await page.goto(`/admin/w/default/changes/${change}`);
  await page.getByRole('link', { name: 'Edit “Eleven radishes” in this release' }).click();
  // What it proposes is published, and it is not.
  await expect(main(page).getByText('Not public yet')).toBeVisible();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const framed = page.frameLocator('iframe[title="Preview: Blog"]');
  await expect(framed.getByRole('heading', { level: 2 })).toHaveText('Eleven radishes');
  await expectPicture(framed.locator('article img'));
  await field(page, 'Summary').fill('Of which nine look as they do on the packet.');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved (now|\d+ seconds? ago)$/).first()).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, 'preview');

  // She may not approve what she has made; Tom may, once he has seen it.
  await page.goto(`/admin/w/default/changes/${change}`);
  await expect(page.getByRole('tab', { name: 'Entries (10)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await askForReview(page, 'Is the picture wide enough?');
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);

  const tom = await another('tom');
  await givenOthers(ida, ids);
  await tom.goto('/admin/w/default/changes');
  await expect(tom.getByRole('link', { name: LABEL })).toBeVisible();
  await picture(tom, 'changes');
  await tom.getByRole('button', { name: 'In review' }).click();
  // Rows move up when the others go, and a click would miss.
  await expect(tom).toHaveURL(/state=in_review/);
  await expect(tom.getByRole('table')).not.toHaveAttribute('aria-busy', 'true');
  await tom.getByRole('link', { name: LABEL }).click();
  await expect(tom.getByRole('article')).toHaveCount(10);
  await tom.getByRole('button', { name: 'Radishes, the second row', exact: true }).click();
  const entry = tom.getByRole('article', { name: 'Radishes, the second row' });
  await expect(entry.getByRole('region', { name: 'Title' }).locator('ins').first()).toBeVisible();
  // What the mouse is above looks different.
  await tom.mouse.move(0, 0);
  await picture(tom, 'change');

  await tom.getByRole('button', { name: 'New preview link' }).click();
  const dialog = tom.getByRole('dialog', { name: 'Preview link' }).or(tom.getByRole('dialog', { name: 'New preview link' }));
  await dialog.getByRole('button', { name: 'Create' }).click();
  const token = await dialog.getByTestId('preview-token').innerText();
  await expect(dialog.getByText(`${site.url}/consumer.html?recto=${token}#`)).toBeVisible();
  await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
  // Somebody without an account opens the link; the site of everybody else stays as it is.
  const stranger = await browser.newContext();
  const reader = await stranger.newPage();
  await expectRelease(reader, site, token);
  expect(titles(await readPublic(server, 'beds', `&preview=${token}`))).toEqual(AFTER[1]);
  expect(titles(await readPublic(server, 'gardeners', `&preview=${token}`))).toEqual(AFTER[2]);
  await reader.goto(`${site.url}/consumer.html`);
  await expect(reader.getByRole('heading', { level: 2 })).toHaveCount(3);
  await expect(reader.getByRole('heading', { level: 2, name: 'Radishes', exact: true })).toBeVisible();
  await expect(reader.locator('article img')).toHaveCount(0);
  expect(await readAll(server)).toEqual(before);

  await tom.getByRole('button', { name: 'Approve' }).click();
  await expect(tom.getByRole('region', { name: 'Review', exact: true })).toContainText('1 of 1 approvals');
  await expect(publicationOf(tom)).toContainText('Approved and ready to publish.');
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  tomorrow.setUTCHours(7, 0, 0, 0);
  await plan(tom, tomorrow);
  await expect(publicationOf(tom)).toContainText('Goes live');
  await tom.reload();
  await expect(tom.getByRole('article')).toHaveCount(10);
  await picture(tom, 'review');
  await tom.goto(`/admin/w/default/changes?tab=calendar&month=${tomorrow.toISOString().slice(0, 7)}`);
  await tom.getByRole('button', { name: new RegExp(`\\b${tomorrow.getUTCDate()}\\b.*, 1 event$`) }).first().click();
  await expect(tom.getByRole('region', { name: /^\w+day/ }).getByRole('link', { name: LABEL })).toBeVisible();
  await tom.mouse.move(0, 0);
  await picture(tom, 'calendar');
  expect(await readAll(server)).toEqual(before);

  // Sooner. A machine that is busy may let the moment pass before it is sent.
  await tom.goto(`/admin/w/default/changes/${change}`);
  await expect(async () => {
    await tom.reload();
    await plan(tom, new Date(Date.now() + 6000));
  }).toPass();
  let posts = '';
  await expect
    .poll(async () => {
      posts = await readPublic(server, 'posts');
      // Never a part of it.
      return posts === before[0] ? 'before' : titles(posts);
    })
    .toEqual(AFTER[0]);
  expect((await readAll(server)).map(titles)).toEqual(AFTER);
  expect(listed(posts).find((it) => it.title === 'Eleven radishes')).toMatchObject({ data: { picture: [expect.stringContaining('radishes.png')] } });
  await expect(tom.getByText(/Everything went live on/)).toBeVisible();
  // The link ended with the release, and needs no longer be there.
  expect(JSON.parse(await readPublic(server, 'posts', `&preview=${token}`))).toMatchObject({ error: { code: 'unauthorized' } });
  await reader.reload();
  await expect(reader.getByRole('heading', { level: 2 })).toHaveCount(4);
  await stranger.close();

  // Tom takes it back, which is a change like any other.
  await main(tom).getByRole('button', { name: 'Revert' }).click();
  await expect(tom.getByRole('heading', { level: 1, name: `Revert: ${LABEL}` })).toBeVisible();
  await expect(tom.getByRole('article')).toHaveCount(10);
  const published = await readAll(server);
  await askForReview(tom, 'The courgette has to come back.');
  await page.goto(tom.url());
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  expect(await readAll(server)).toEqual(published);
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText(/Everything went live on/)).toBeVisible();
  expect((await readAll(server)).map(lasting)).toEqual(before.map(lasting));
});

/** Gives the list and the calendar more to show. */
async function givenOthers(ida: Admin, ids: Ids): Promise<void> {
  const begin = (label: string, note: string) => ida.api<{ id: string }>('POST', 'changes', { label, note });
  const autumn = await begin('Autumn sowing', 'Spinach and lamb’s lettuce');
  await ida.api('PATCH', `content/beds/${ids['the-long-box']}?change=${autumn.id}`, { plants: 'Spinach' });
  await begin('New names for beds', 'Everybody may suggest one');
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().replace(/\.\d+/, '');
  await ida.api('PUT', `changes/${autumn.id}`, { publish_at: inDays(3) });
  await ida.api('POST', 'content/posts', { title: 'Winter plan', body: 'Nothing, in a blanket.', status: 'scheduled', published_at: inDays(2) });
}
