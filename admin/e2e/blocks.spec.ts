/** Blocks: an entry of very many stays as easy to write in as a short one; undo, the clipboard, presets. */
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, PASSWORD, test } from './harness';

const BLOCKS = 500;
const SENTENCE = 'Words arrive as typed.';

test('an entry with 500 blocks takes every key', async ({ page, admin }) => {
  await admin.api('POST', 'content-types', {
    name: 'stories',
    fields: { body: { type: 'blocks', blocks: { text: { label: 'Text', fields: { words: { type: 'textarea' } } } } } },
  });
  const body = Array.from({ length: BLOCKS }, (_, at) => ({ _type: 'text', words: `Paragraph ${at + 1}` }));
  const { id } = await admin.api<{ id: string }>('POST', 'content/stories', { title: 'Long', body });
  await page.goto(`/admin/w/default/content/stories/${id}`);

  const title = page.locator('#field-title');
  await title.fill('');
  const inTitle = await typed(page);
  await expect(title).toHaveValue(SENTENCE);

  const row = page.getByRole('listitem').filter({ hasText: 'Paragraph 250' });
  await row.getByRole('button', { expanded: false }).first().click();
  const words = row.getByRole('textbox', { name: 'Words' });
  await words.fill('');
  const inBlock = await typed(page);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved').first()).toBeVisible();
  console.log(`to the frame after a key, median: title ${inTitle} ms, one of ${BLOCKS} blocks ${inBlock} ms`);

  const saved = await admin.api<{ title: string; data: { body: { words: string }[] } }>('GET', `content/stories/${id}`);
  expect(saved.title).toBe(SENTENCE);
  expect(saved.data.body).toHaveLength(BLOCKS);
  expect(saved.data.body[249]?.words).toBe(SENTENCE);
});

/** Types the sentence; how long it took from a key to the next painted frame, in milliseconds. */
async function typed(page: Page): Promise<number> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    window.addEventListener(
      'keydown',
      () => {
        const began = performance.now();
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - began)));
      },
      true,
    );
  });
  await page.keyboard.type(SENTENCE, { delay: 40 });
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);
}

/** A type of pages out of blocks, and an entry with these blocks. */
async function given(admin: Admin, body: readonly Record<string, unknown>[], field: Record<string, unknown> = {}): Promise<string> {
  await admin.api('POST', 'content-types', {
    name: 'landings',
    label: 'Landings',
    fields: {
      title: { type: 'text' },
      tone: { type: 'select', label: 'Tone', options: ['calm', 'loud'] },
      body: { type: 'blocks', label: 'Content', blocks: BLOCK_TYPES, ...field },
    },
  });
  return (await admin.api<{ id: string }>('POST', 'content/landings', { title: 'Home', body })).id;
}

const BLOCK_TYPES = {
  hero: { label: 'Hero', fields: { heading: { type: 'text', label: 'Heading' }, picture: { type: 'media', label: 'Picture' } } },
  text: { label: 'Text', fields: { words: { type: 'textarea', label: 'Words' } } },
};

const SAMPLE = [
  { _type: 'hero', heading: 'Welcome' },
  { _type: 'text', words: 'First' },
  { _type: 'text', words: 'Second' },
];

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const rows = (page: Page, field = 'Content') => page.getByRole('group', { name: field, exact: true }).locator('[data-row]');
const heads = (page: Page) => rows(page).evaluateAll((all) => all.map((it) => it.querySelector('[data-toggle]')?.textContent?.replace(/^\d+/, '')));

const undo = (page: Page) => page.getByRole('button', { name: /^Undo: |^Nothing to undo/ });

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/landings/${id}`);
  await expect(rows(page).first()).toBeVisible();
}

async function save(page: Page): Promise<void> {
  const answer = page.waitForResponse((it) => it.request().method() === 'PATCH');
  await page.keyboard.press('Control+s');
  expect((await answer).status()).toBe(200);
}

test('rows that are selected move together', async ({ page, admin }) => {
  await open(page, await given(admin, SAMPLE));
  const toggle = (at: number) => rows(page).nth(at).locator('[data-toggle]').first();
  await toggle(1).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => heads(page)).toEqual(['TextFirst', 'TextSecond', 'HeroWelcome']);
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextFirst', 'TextSecond']);
});

test('every step of the form is undone and redone, also after a save', async ({ page, admin }) => {
  const id = await given(admin, SAMPLE);
  await open(page, id);
  const all = ['HeroWelcome', 'TextFirst', 'TextSecond'];
  await page.getByRole('combobox', { name: 'Tone' }).click();
  await page.getByRole('option', { name: 'loud' }).click();
  await rows(page).nth(1).getByRole('textbox', { name: 'Words' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextSecond', 'TextFirst']);
  await page.getByRole('button', { name: /^Remove Hero 1/ }).click();
  await expect(undo(page)).toHaveAccessibleName('Undo: remove “Hero: Welcome”');
  await expect(page.getByText('Hero 1: Welcome removed')).toBeVisible();
  await save(page);
  // Outside of text inputs, the keys are the form's; the offer of the toast ends with the step.
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Hero 1: Welcome removed')).toBeHidden();
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextSecond', 'TextFirst']);
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect.poll(() => heads(page)).toEqual(all);
  await undo(page).click();
  await expect(page.getByRole('combobox', { name: 'Tone' })).toHaveValue('');
  await expect(undo(page)).toHaveAccessibleName('Nothing to undo');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => heads(page)).toEqual(['TextSecond', 'TextFirst']);

  // In an input the browser takes back what was typed there; beyond that, the form goes on.
  const words = rows(page).first().getByRole('textbox', { name: 'Words' });
  await words.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await expect(undo(page)).toHaveAccessibleName('Undo: typing in “Words”');
  await page.keyboard.press('Control+z');
  await expect(words).toHaveValue('Second');
  await page.keyboard.press('Control+z');
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextSecond', 'TextFirst']);
});

test('blocks are copied, cut and pasted: by keys, by menus, into other entries and types', async ({ page, admin, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const picture = (await admin.upload('sea.png', PNG)).filename;
  const id = await given(admin, [{ ...SAMPLE[0], picture: [picture] }, ...SAMPLE.slice(1)]);
  await admin.api('POST', 'content-types', {
    name: 'memos',
    label: 'Memos',
    fields: {
      title: { type: 'text' },
      parts: { type: 'blocks', label: 'Parts', blocks: { hero: { label: 'Top', fields: { heading: { type: 'text' } } }, ...MANY } },
      links: { type: 'repeater', label: 'Links', subfields: [{ key: 'to', type: 'text', label: 'To' }] },
    },
  });
  const note = await admin.api<{ id: string }>('POST', 'content/memos', { title: 'Note', links: [{ to: '/a' }] });
  await open(page, id);
  const head = (at: number) => rows(page).nth(at).locator('[data-toggle]').first();

  // Several at once, chosen by Shift; below the row that has the focus.
  await head(0).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Escape');
  await expect(page.getByText('2 selected')).toBeHidden();
  await head(2).focus();
  await page.keyboard.press('Control+v');
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextFirst', 'TextSecond', 'HeroWelcome', 'TextFirst']);
  await expect(head(3)).toBeFocused();
  await expect(undo(page)).toHaveAccessibleName('Undo: add “2 items”');
  await page.keyboard.press('Control+x');
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextFirst', 'TextSecond', 'TextFirst']);
  await page.keyboard.press('Control+d');
  await page.keyboard.press('Delete');
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextFirst', 'TextSecond', 'TextFirst']);
  await rows(page).first().getByRole('button', { name: /^Actions for Hero 1/ }).click();
  await page.getByRole('menuitem', { name: 'Insert below' }).click();
  await page.getByRole('menuitem', { name: /^Hero/ }).click();
  await expect(rows(page).nth(1).getByRole('textbox', { name: 'Heading' })).toBeFocused();
  await undo(page).click();
  await save(page);
  const saved = (await admin.api<{ data: { body: Record<string, unknown>[] } }>('GET', `content/landings/${id}`)).data.body;
  expect(new Set(saved.map(({ _id: own }) => own)).size).toBe(4);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"recto": "rows"');

  // In a type that knows the block, but not all of its fields; and where nothing fits, nothing is offered.
  await page.goto(`/admin/w/default/content/memos/${note.id}`);
  const links = page.getByRole('group', { name: 'Links', exact: true });
  await expect(links.locator('[data-row]')).toHaveCount(1);
  await expect(links.getByRole('button', { name: /^Paste/ })).toHaveCount(0);
  await links.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Copied items don’t fit here' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Paste 1 item: Parts' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Top › Picture')).toBeVisible();
  await dialog.getByRole('button', { name: 'Paste' }).click();
  await expect(rows(page, 'Parts')).toHaveText(/Welcome/);
  await links.locator('[data-toggle]').focus();
  await page.keyboard.press('Control+v');
  await expect(page.getByText('This field doesn’t accept what you copied: Hero.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();

  // Many kinds are searched.
  await page.getByRole('button', { name: 'Parts: add' }).click();
  await page.getByRole('combobox', { name: 'Search blocks' }).or(page.getByRole('textbox', { name: 'Search blocks' })).fill('kind 7');
  await checkA11y(page);
  await page.keyboard.press('Enter');
  await expect(rows(page, 'Parts').nth(1)).toHaveText(/Kind 7/);
});

/** More kinds of blocks than one likes to look through. */
const MANY = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`kind_${at}`, { label: `Kind ${at}`, fields: { words: { type: 'text' } } }]));

test('presets are made of blocks, inserted, and put in order in the type', async ({ page, admin, become }) => {
  const id = await given(admin, SAMPLE, { max_items: 9 });
  await open(page, id);
  await rows(page).first().hover();
  await page.getByRole('checkbox', { name: /^Select Hero 1/ }).click();
  await page.getByRole('checkbox', { name: /^Select Text 2/ }).click({ modifiers: ['Shift'] });
  await page.getByRole('toolbar', { name: 'Content: selection' }).getByRole('button', { name: 'Save as preset…' }).click();
  await page.getByRole('textbox', { name: 'Preset name' }).fill('Opening');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Preset “Opening” saved')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Content: add' }).click();
  await page.getByRole('menuitem', { name: /^Opening/ }).click();
  await expect.poll(() => heads(page)).toEqual(['HeroWelcome', 'TextFirst', 'TextSecond', 'HeroWelcome', 'TextFirst']);
  await page.getByRole('button', { name: 'Content: add' }).click();
  await checkA11y(page);
  await page.keyboard.press('Escape');
  await save(page);

  await page.goto('/admin/w/default/types/landings');
  await page.getByRole('button', { name: /^Content / }).click();
  const name = page.getByRole('textbox', { name: 'Name of preset 1' });
  await name.fill('Start');
  await checkA11y(page);
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await admin.api<LandingType>('GET', 'content-types/landings')).fields.body.presets).toEqual([
    { label: 'Start', rows: [{ _type: 'hero', heading: 'Welcome', picture: [] }, { _type: 'text', words: 'First' }] },
  ]);

  // What the menu says about a block type, and where it stands there.
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: /^Hero/ }).first().click();
  await panel.getByLabel('Help text').fill('Opens a page');
  await panel.getByLabel('Group').fill('Tops');
  await panel.getByRole('button', { name: 'Choose icon' }).click();
  await page.getByRole('button', { name: 'star', exact: true }).click();
  await checkA11y(page);
  await page.keyboard.press('Control+s');
  await expect
    .poll(async () => (await admin.api<LandingType>('GET', 'content-types/landings')).fields.body.blocks.hero)
    .toMatchObject({ description: 'Opens a page', group: 'Tops', icon: 'star' });
  await page.keyboard.press('Escape');

  // A field that is to hold others says so when it holds none.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByLabel('Search field kinds').fill('Rows');
  await page.getByLabel('Search field kinds').press('Enter');
  await expect(panel.getByLabel('Key')).toHaveValue('rows');
  await page.keyboard.press('Control+s');
  await expect(panel.getByText(/^Add at least one field\./)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Fix 1 error to save')).toBeVisible();
  page.once('dialog', (it) => void it.accept());

  // Who may not change the type inserts presets, and makes none.
  await admin.api('POST', 'users', { username: 'ben', name: 'Ben', password: PASSWORD, role: 'editor' });
  await become('ben');
  await open(page, id);
  await rows(page).first().getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Save as preset…' })).toHaveCount(0);
});

test('a new block gives the keyboard to its first field', async ({ page, admin }) => {
  const id = await given(admin, [{ _type: 'text', words: 'First' }], {
    blocks: { ...BLOCK_TYPES, essay: { label: 'Essay', fields: { body: { type: 'markdown', label: 'Body' } } }, shot: { label: 'Shot', fields: { file: { type: 'media', label: 'File' }, note: { type: 'text', label: 'Note' } } } },
  });
  await open(page, id);
  const add = async (kind: string) => {
    await page.getByRole('button', { name: 'Content: add' }).click();
    await page.getByRole('menuitem', { name: kind }).click();
  };
  await add('Essay');
  await expect(page.getByRole('textbox', { name: 'Body' })).toBeFocused();
  await page.keyboard.type('Once');
  await add('Shot');
  await expect(rows(page).nth(2).getByRole('button', { name: /^Choose files|^File: / })).toBeFocused();
  await add('Text');
  await expect(rows(page).nth(3).getByRole('textbox', { name: 'Words' })).toBeFocused();
  await page.keyboard.type('there was');
  await save(page);
  const { data } = await admin.api<{ data: { body: unknown[] } }>('GET', `content/landings/${id}`);
  expect(data.body).toMatchObject([{}, { body: 'Once' }, {}, { words: 'there was' }]);
});

interface LandingType {
  fields: { body: { presets: unknown; blocks: Record<string, unknown> } };
}
