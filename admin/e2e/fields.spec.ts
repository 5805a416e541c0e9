/** The inputs of all field kinds: what is typed into them is what stands in the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, type Server, test } from './harness';

const FIELDS = {
  title: { type: 'text', required: true, max_length: 40 },
  lead: { type: 'textarea', label: 'Lead', layout: { width: '1/2' } },
  count: { type: 'number', label: 'Count', max: 1000, layout: { width: '1/2' } },
  level: { type: 'range', label: 'Level', step: 5 },
  open: { type: 'boolean', label: 'Open' },
  topic: { type: 'select', label: 'Topic', options: { idea: 'Idea', plan: 'Plan' } },
  tags: { type: 'select', label: 'Tags', multiple: true, options: [{ value: 1, label: 'One' }, { value: 2, label: 'Two' }] },
  day: { type: 'date', label: 'Day' },
  moment: { type: 'datetime', label: 'Moment' },
  colour: { type: 'color', label: 'Colour' },
  mail: { type: 'email', label: 'Mail' },
  link: { type: 'url', label: 'Link' },
  raw: { type: 'json', label: 'Raw' },
  body: { type: 'markdown', label: 'Body' },
  notice: { type: 'html', label: 'Notice' },
  files: { type: 'media', label: 'Files', multiple: true, max_files: 3, accept: ['image/*'] },
  friends: { type: 'relation', label: 'Friends', target: 'kinds', multiple: true },
  seo: { type: 'object', label: 'Seo', fields: { heading: { type: 'text', label: 'Heading' } } },
  links: { type: 'repeater', label: 'Links', subfields: [{ key: 'to', type: 'url', label: 'To', required: true }] },
  parts: {
    type: 'blocks',
    label: 'Parts',
    blocks: {
      quote: { label: 'Quote', fields: { words: { type: 'textarea', label: 'Words' } } },
      line: { label: 'Line', fields: { thick: { type: 'number', label: 'Thick', default: 2 } } },
    },
  },
};

async function given(admin: Admin, entry: Record<string, unknown> = { title: 'One' }): Promise<string> {
  await admin.api('POST', 'content-types', { name: 'kinds', label: 'Kinds', fields: FIELDS });
  return (await admin.api<{ id: string }>('POST', 'content/kinds', entry)).id;
}

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const stored = async (admin: Admin, id: string) => (await admin.api<{ data: Record<string, unknown> }>('GET', `content/kinds/${id}`)).data;
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/kinds/${id}`);
  await expect(box(page, 'Title')).toBeVisible();
  // The last one to arrive is a chunk of its own.
  await expect(box(page, 'Notice')).toBeVisible();
}

async function save(page: Page): Promise<number> {
  const answer = page.waitForResponse((it) => it.request().method() === 'PATCH' && it.url().includes('/content/kinds/'));
  await page.keyboard.press('Control+s');
  return (await answer).status();
}

test('simple values are typed, and stored as the file wants them', async ({ page, admin }) => {
  const id = await given(admin);
  await open(page, id);
  await box(page, 'Lead').fill('Two\nlines');
  await box(page, 'Count').fill('12,5');
  await page.getByRole('slider', { name: 'Level' }).press('ArrowRight');
  await page.getByRole('switch', { name: 'Open' }).press('Space');
  await page.getByRole('combobox', { name: 'Topic' }).click();
  await page.getByRole('option', { name: 'Plan' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).click();
  await page.getByRole('option', { name: 'Two' }).click();
  await page.keyboard.press('Escape');
  await box(page, 'Day').fill('3 May 2026');
  // A day with its time, as people write it; the time is shown by the clock of the language.
  await box(page, 'Moment: date').fill('3/5/26 2:30 pm');
  await box(page, 'Moment: date').blur();
  await expect(box(page, 'Moment: time')).toHaveValue('14:30');
  await box(page, 'Colour').fill('#3F6F66');
  await box(page, 'Mail').fill('anna@example.org');
  await box(page, 'Link').fill('/about');
  await group(page, 'Seo').getByRole('textbox', { name: 'Heading' }).fill('Head');
  await expect(page.getByRole('link', { name: 'Open link: /about' })).toBeVisible();
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({
    lead: 'Two\nlines',
    count: 12.5,
    level: 5,
    open: true,
    topic: 'plan',
    tags: [2],
    day: '2026-05-03',
    // Half past two in Berlin.
    moment: '2026-05-03T12:30:00Z',
    colour: '#3f6f66',
    mail: 'anna@example.org',
    link: '/about',
    seo: { heading: 'Head' },
  });
});

test('what is not a value yet stays as it is typed and is told', async ({ page, admin }) => {
  const id = await given(admin, { title: 'One', count: 5 });
  await open(page, id);
  await box(page, 'Count').fill('5 kg');
  await expect(page.getByText('This isn’t a number')).toBeVisible();
  await box(page, 'Raw').fill('{"a": ');
  await expect(page.getByText('This isn’t valid JSON')).toBeVisible();
  await expect(box(page, 'Raw')).toHaveAttribute('aria-invalid', 'true');
  await box(page, 'Raw').press('End');
  await box(page, 'Raw').pressSequentially('[1]}');
  await expect(page.getByText('This isn’t valid JSON')).toBeHidden();
  await box(page, 'Title').fill('x'.repeat(41));
  await expect(page.getByText('41 / 40')).toBeVisible();
  await box(page, 'Title').fill('Two');
  await box(page, 'Count').fill('6');
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({ count: 6, raw: { a: [1] } });
});

test('days and times that there are not stay as they are typed, and nothing is saved', async ({ page, admin }) => {
  const id = await given(admin, { title: 'One', day: '2027-11-01', moment: '2026-05-03T12:30:00Z' });
  await open(page, id);
  await box(page, 'Day').fill('31.11.2027');
  await box(page, 'Moment: time').fill('24:00');
  await box(page, 'Title').fill('Two');
  await expect(box(page, 'Day')).toHaveValue('31.11.2027');
  await expect(box(page, 'Moment: time')).toHaveValue('24:00');
  await expect(page.getByText('This isn’t a valid date')).toBeVisible();
  await expect(page.getByText('This isn’t a valid time')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('alert').filter({ hasText: 'Day' })).toBeVisible();
  expect(await admin.api('GET', `content/kinds/${id}`)).toMatchObject({ title: 'One' });

  await box(page, 'Day').fill('30.11.2027');
  await box(page, 'Moment: time').fill('23:00');
  await box(page, 'Title').focus();
  await expect(page.getByText(/This isn’t a valid/)).toHaveCount(0);
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({ day: '2027-11-30', moment: '2026-05-03T21:00:00Z' });
});

test('a number of more digits than the browser keeps is refused', async ({ page, admin }) => {
  const id = await given(admin);
  await open(page, id);
  await box(page, 'Raw').fill('{"a": 12345678901234567890}');
  await expect(page.getByText('too many digits for the browser: 12345678901234567890')).toBeVisible();
  // Text that replaces a coloured one gets its colour from the browser, as a style that the policy forbids.
  await box(page, 'Raw').press('ControlOrMeta+a');
  await box(page, 'Raw').press('Delete');
  await box(page, 'Raw').fill('{"a": 1.50, "b": "12345678901234567890"}');
  await expect(page.getByText('too many digits')).toHaveCount(0);
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({ raw: { a: 1.5, b: '12345678901234567890' } });
});

test('words are written from the side that they begin at', async ({ page, admin }) => {
  await open(page, await given(admin, { title: 'שלום', lead: 'One', body: 'שלום\n\nOne' }));
  await expect(box(page, 'Title')).toHaveCSS('direction', 'rtl');
  await expect(box(page, 'Lead')).toHaveCSS('direction', 'ltr');
  const place = () => box(page, 'Lead').evaluate((it) => [getComputedStyle(it).paddingLeft, getComputedStyle(it).paddingRight]);
  const before = await place();
  await box(page, 'Lead').fill('שלום');
  await expect(box(page, 'Lead')).toHaveCSS('direction', 'rtl');
  // The button at the right does not cover the text.
  expect(await place()).toEqual(before);
  await group(page, 'Body').getByRole('button', { name: 'Preview beside the text' }).click();
  const preview = page.getByRole('region', { name: 'Preview', exact: true });
  await expect(preview.getByText('שלום')).toHaveCSS('direction', 'rtl');
  await expect(preview.getByText('One')).toHaveCSS('direction', 'ltr');
});

test('markdown is written with keys and buttons, and shown as readers get it', async ({ page, admin }) => {
  const id = await given(admin);
  const { filename } = await admin.upload('hill.png', PNG);
  await open(page, id);
  const body = group(page, 'Body');
  await box(page, 'Body').click();
  await page.keyboard.type('- one\ntwo');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('bold');
  await body.getByRole('button', { name: 'Preview beside the text' }).click();
  const preview = body.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('listitem')).toHaveText(['one', /two/]);
  await expect(preview.locator('strong')).toHaveText('bold');
  // The toolbar is one stop of the Tab key; arrows move in it.
  await body.getByRole('button', { name: 'Bold' }).focus();
  await page.keyboard.press('End');
  await expect(body.getByRole('button', { name: 'Picture or file' })).toBeFocused();
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog');
  await picker.getByText(filename).first().click();
  await picker.getByRole('button', { name: 'Use' }).click();
  await expect(preview.locator('img')).toBeVisible();
  await box(page, 'Body').press('Tab');
  await expect(box(page, 'Body')).not.toBeFocused();
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({ body: `- one\n- two\n**bold![](/media/default/${filename})**` });
});

test('rows are added, moved, copied and removed by keyboard', async ({ page, admin }) => {
  const id = await given(admin, { title: 'One', links: [{ to: '/a' }, { to: '/b' }] });
  await open(page, id);
  const links = group(page, 'Links');
  const targets = () => links.getByRole('textbox', { name: 'To' }).evaluateAll((all) => all.map((it) => (it as HTMLInputElement).value));
  await links.getByRole('button', { name: 'Links: add' }).press('Enter');
  await expect(links.getByRole('textbox', { name: 'To' }).nth(2)).toBeFocused();
  await page.keyboard.type('/c');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(targets).toEqual(['/a', '/c', '/b']);
  await expect(links.getByRole('textbox', { name: 'To' }).nth(1)).toBeFocused();
  // By the handle: taken with Space, moved with arrows, put down with Space.
  await links.getByRole('button', { name: /^Move Row 2/ }).press('Space');
  await expect(page.getByText(/is at position 2 of 3/)).toBeAttached();
  // Keys count from the moment that the places are measured, which nothing on the page shows. At the
  // first place, another press of this one changes nothing.
  await expect(async () => {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText(/is at position 1 of 3/)).toBeAttached({ timeout: 1000 });
  }).toPass();
  await page.keyboard.press('Space');
  await expect.poll(targets).toEqual(['/c', '/a', '/b']);
  await links.getByRole('button', { name: /^Actions for Row 2/ }).press('Enter');
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter');
  await expect.poll(targets).toEqual(['/c', '/a', '/a', '/b']);
  await links.getByRole('button', { name: /^Remove Row 1/ }).press('Enter');
  await expect.poll(targets).toEqual(['/a', '/a', '/b']);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(targets).toEqual(['/c', '/a', '/a', '/b']);
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({ links: [{ to: '/c' }, { to: '/a' }, { to: '/a' }, { to: '/b' }] });
});

test('a row is put between two others by keyboard', async ({ page, admin }) => {
  const id = await given(admin, { title: 'One', links: [{ to: '/a' }, { to: '/b' }] });
  await open(page, id);
  const links = group(page, 'Links');
  await links.getByRole('button', { name: /^Move Row 2/ }).focus();
  await page.keyboard.press('Shift+Tab');
  const insert = links.getByRole('button', { name: 'Insert as row 2' });
  await expect(insert).toBeFocused();
  await expect(insert).toHaveCSS('opacity', '1');
  await page.keyboard.press('Enter');
  await expect(links.getByRole('textbox', { name: 'To' }).nth(1)).toBeFocused();
  await page.keyboard.type('/between');
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({ links: [{ to: '/a' }, { to: '/between' }, { to: '/b' }] });
});

test('blocks come from a gallery and keep their ids', async ({ page, admin }) => {
  const id = await given(admin, { title: 'One', parts: [{ _type: 'quote', words: 'First' }] });
  const [before] = (await stored(admin, id)).parts as Record<string, unknown>[];
  await open(page, id);
  const parts = group(page, 'Parts');
  await parts.getByRole('button', { name: 'Parts: add' }).click();
  await page.getByRole('menuitem', { name: 'Line' }).click();
  await expect(parts.getByRole('textbox', { name: 'Thick' })).toHaveValue('2');
  await expect(parts.getByRole('textbox', { name: 'Thick' })).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(parts.getByRole('listitem').first().getByRole('textbox', { name: 'Thick' })).toBeFocused();
  expect(await save(page)).toBe(200);
  const made = { _type: 'line', _id: expect.stringMatching(/^[0-9a-z]{16}$/), thick: 2 };
  expect((await stored(admin, id)).parts).toEqual([made, before]);
  await expect(parts.getByRole('textbox', { name: 'Thick' })).toBeVisible();
});

test('what the server refuses in a closed row is shown in it', async ({ page, admin }) => {
  const id = await given(admin, { title: 'One', links: [{ to: '/a' }, { to: '/b' }] });
  await open(page, id);
  const links = group(page, 'Links');
  await links.getByRole('textbox', { name: 'To' }).nth(1).fill('javascript:alert(1)');
  await links.getByRole('button', { name: 'Links: collapse all' }).click();
  await expect(links.getByRole('textbox', { name: 'To' })).toHaveCount(0);
  expect(await save(page)).toBe(422);
  await expect(links.getByText('1 problem')).toBeVisible();
  await expect(links.getByRole('textbox', { name: 'To' })).toHaveValue('javascript:alert(1)');
  await expect(links.getByRole('textbox', { name: 'To' })).toHaveAttribute('aria-invalid', 'true');
});

test('entries are found by words, picked by keyboard and made on the way', async ({ page, admin }) => {
  const id = await given(admin);
  const bench = await admin.api<{ id: string }>('POST', 'content/kinds', { title: 'The bench' });
  await open(page, id);
  const search = box(page, 'Friends: find an entry');
  await search.fill('bench');
  await expect(page.getByRole('option', { name: 'The bench' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(group(page, 'Friends').getByRole('listitem')).toHaveText(/The bench/);
  await search.fill('A new friend');
  await page.getByRole('option', { name: 'Create “A new friend”…' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('textbox', { name: 'Title' })).toHaveValue('A new friend');
  // The top-most one saves.
  await page.keyboard.press('Control+s');
  await expect(drawer).toBeHidden();
  await expect(group(page, 'Friends').getByRole('listitem')).toHaveText([/The bench/, /A new friend/]);
  expect(await save(page)).toBe(200);
  const { friends } = await stored(admin, id);
  expect(friends).toEqual([bench.id, expect.stringMatching(/^[0-9a-z]{16}$/)]);
});

test('files are dropped onto a field, put in order and taken out', async ({ page, admin }) => {
  const id = await given(admin, { title: 'One', files: [(await admin.upload('first.png', PNG)).filename] });
  await open(page, id);
  const files = group(page, 'Files');
  await expect(files.getByRole('listitem')).toHaveText(/first\.png/);
  const bytes = [...PNG];
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(all)], 'second.png', { type: 'image/png' }));
    transfer.items.add(new File(['text'], 'note.txt', { type: 'text/plain' }));
    return transfer;
  }, bytes);
  await files.getByRole('button', { name: 'Files: choose files' }).dispatchEvent('drop', { dataTransfer: data });
  await expect(files.getByRole('listitem')).toHaveText([/first\.png/, /second\.png/]);
  await files.getByRole('button', { name: 'Move second.png', exact: true }).press('Space');
  await expect(page.getByText('second.png is at position 2 of 2.')).toBeAttached();
  // Keys count from the moment that the places are measured, which nothing on the page shows. At the
  // first place, another press of this one changes nothing.
  await expect(async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByText('second.png is at position 1 of 2.')).toBeAttached({ timeout: 1000 });
  }).toPass();
  await page.keyboard.press('Space');
  await expect(files.getByRole('listitem')).toHaveText([/second\.png/, /first\.png/]);
  await files.getByRole('button', { name: 'Remove first.png' }).click();
  expect(await save(page)).toBe(200);
  expect(await stored(admin, id)).toMatchObject({ files: ['second.png'] });
});

test('values that were written by hand and do not fit are kept until they are replaced', async ({ page, admin, server }) => {
  const id = await given(admin);
  const odd = { count: '12', open: 'maybe', day: 'tomorrow', links: { to: '/a' }, parts: [{ _type: 'gone', _id: 'x1', deep: [1] }], unknown: true };
  edit(server, id, odd);
  await expect.poll(async () => (await stored(admin, id)).count).toBe('12');
  await open(page, id);
  await expect(page.getByText('This value doesn’t match the field')).toHaveCount(4);
  await expect(group(page, 'Parts').getByText('The content type has no block “gone”')).toBeVisible();
  await group(page, 'Count').getByRole('button', { name: 'Use 12' }).click();
  await expect(box(page, 'Count')).toHaveValue('12');
  expect(await save(page)).toBe(200);
  const file = JSON.parse(readFileSync(entryFile(server, id), 'utf8')) as { data: unknown };
  expect(file.data).toMatchObject({ ...odd, count: 12 });
});

function entryFile(server: Server, id: string): string {
  return join(server.folder, 'workspaces/default/content/kinds', `${id}.json`);
}

function edit(server: Server, id: string, data: unknown): void {
  const file = JSON.parse(readFileSync(entryFile(server, id), 'utf8')) as Record<string, unknown>;
  writeFileSync(entryFile(server, id), `${JSON.stringify({ ...file, data }, null, 2)}\n`);
}

test('all kinds are free of barriers', async ({ page, admin }) => {
  const { filename } = await admin.upload('hill.png', PNG);
  const id = await given(admin, {
    title: 'One', lead: 'Two', count: 3, level: 40, open: true, topic: 'idea', tags: [1], day: '2026-05-03', moment: '2026-05-03T12:00:00Z',
    colour: '#3f6f66', mail: 'a@b.org', link: 'https://example.org', raw: { a: [1] }, body: '# Head\n\n- [x] one', notice: '<p>Hi</p>',
    files: [filename], seo: { heading: 'H' }, links: [{ to: '/a' }, { to: '/b' }], parts: [{ _type: 'quote', words: 'W' }],
  });
  await admin.api('PUT', `content/kinds/${id}`, { friends: [id] });
  await open(page, id);
  await expect(group(page, 'Friends').getByRole('listitem')).toHaveText(/One/);
  await checkA11y(page);
});

test('whoever may only read gets inputs that say so', async ({ page, admin, become }) => {
  const id = await given(admin, { title: 'One', count: 3, links: [{ to: '/a' }], body: 'Hello reader' });
  await admin.person('rita', [{ effect: 'allow', actions: ['*.read'], resources: ['*'] }]);
  await become('rita');
  await page.goto(`/admin/w/default/content/kinds/${id}`);
  await expect(box(page, 'Count')).toHaveAttribute('readonly', '');
  await expect(page.getByRole('switch', { name: 'Open' })).toBeDisabled();
  await expect(box(page, 'Body').getByText('Hello reader')).toBeVisible();
  await expect(group(page, 'Links').getByRole('button', { name: /add|Move|Remove/ })).toHaveCount(0);
});
