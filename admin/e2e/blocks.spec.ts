/** Blocks: an entry of very many stays as easy to write in as a short one; undo, the clipboard, presets. */
import type { Page } from '@playwright/test';
import { type Admin, expect, test } from './harness';

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
