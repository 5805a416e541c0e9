/** An entry of very many blocks stays as easy to write in as a short one. */
import type { Page } from '@playwright/test';
import { expect, test } from './harness';

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
