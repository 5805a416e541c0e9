/** Writing Markdown: the text stays Markdown, and its signs are shown as what they mean. */
import type { Page } from '@playwright/test';
import { type Admin, expect, test } from './harness';

test.use({ sample: false });

/** Makes a type with one Markdown field and an entry with that text, and returns its id. */
async function given(admin: Admin, body: string): Promise<string> {
  await admin.api('POST', 'content-types', {
    name: 'texts',
    label: 'Texts',
    fields: { title: { type: 'text' }, body: { type: 'markdown', label: 'Body' } },
  });
  return (await admin.api<{ id: string }>('POST', 'content/texts', { title: 'One', body })).id;
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Body', exact: true });
const field = (page: Page) => page.getByRole('group', { name: 'Body', exact: true });
const line = (page: Page, text: string | RegExp) => editor(page).locator('.cm-line').filter({ hasText: text });
const stored = async (admin: Admin, id: string) =>
  (await admin.api<{ data: { body: string } }>('GET', `content/texts/${id}`)).data.body;

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/texts/${id}`);
  await expect(editor(page)).toBeVisible();
}

async function save(page: Page): Promise<void> {
  const answer = page.waitForResponse((it) => it.request().method() === 'PATCH' && it.url().includes('/content/texts/'));
  await page.keyboard.press('Control+s');
  expect((await answer).status()).toBe(200);
}

// The visual look.

test('signs are hidden until the caret is there, and the look is remembered', async ({ page, admin }) => {
  const id = await given(admin, '## Hills\n\nSome *steep* words\n');
  await open(page, id);
  await expect(line(page, 'Hills')).toHaveText('Hills');
  await expect(line(page, 'words')).toHaveText('Some steep words');
  await line(page, 'Hills').click();
  await page.keyboard.press('End');
  await expect(line(page, 'Hills')).toHaveText('## Hills');
  await page.keyboard.type(' and dales');
  await field(page).locator('label', { hasText: 'Source' }).click();
  await expect(line(page, 'words')).toHaveText('Some *steep* words');
  await save(page);
  expect(await stored(admin, id)).toBe('## Hills and dales\n\nSome *steep* words\n');
  await page.reload();
  await expect(line(page, 'words')).toHaveText('Some *steep* words');
});

// Inserting and pasting.

// Tables.
