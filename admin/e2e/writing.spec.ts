/** Writing Markdown: the text stays Markdown, and its signs are shown as what they mean. */
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, test } from './harness';

test.use({ sample: false });

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

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

test('lists are written without their signs, and tasks are done by mouse and by keyboard', async ({ page, admin }) => {
  const id = await given(admin, 'Start\n');
  await open(page, id);
  await line(page, 'Start').click();
  await page.keyboard.press('End');
  await page.keyboard.type('\n\n- [ ] map\nlamp\noil');
  await expect(editor(page).getByRole('checkbox')).toHaveCount(3);
  // At the beginning of an item, Tab puts it below the one before, and Backspace takes its sign away.
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+Enter');
  await expect(editor(page).getByRole('checkbox').nth(2)).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('s');
  await editor(page).getByRole('checkbox').nth(1).click();
  await expect(editor(page).getByRole('checkbox').nth(1)).toBeChecked();
  await line(page, 'maps').click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await save(page);
  expect(await stored(admin, id)).toBe('Start\n\nmaps\n- [x] lamp\n  - [x] oil\n');
});

test('a link is made, changed and removed in its panel', async ({ page, admin }) => {
  const id = await given(admin, 'See the hills');
  await open(page, id);
  await line(page, 'hills').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+k');
  const form = page.getByRole('dialog', { name: 'Link' });
  await expect(form.getByLabel('URL')).toBeFocused();
  await expect(form.getByLabel('Text')).toHaveValue('See the hills');
  await page.keyboard.type('example.com/hills');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('link', { name: 'example.com/hills' })).toHaveAttribute('href', 'https://example.com/hills');
  await checkA11y(page);
  await save(page);
  expect(await stored(admin, id)).toBe('[See the hills](https://example.com/hills)');
  await page.keyboard.press('Control+k');
  await form.getByLabel('Text').fill('Hills');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toContainText('Hills');
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toContainText('See the hills');
  await page.keyboard.press('Control+k');
  await form.getByRole('button', { name: 'Remove link' }).click();
  await save(page);
  expect(await stored(admin, id)).toBe('See the hills');
});

test.describe('pictures', () => {
  test.use({ expectedComplaints: [/404 \(Not Found\).*none\.png/] });

  test('pictures are described where they stand, in one step to undo', async ({ page, admin }) => {
    const { filename } = await admin.upload('hill.png', PNG);
    const id = await given(admin, `Before\n\n![](/media/default/${filename})\n\n![x](/media/default/none.png)\n`);
    await open(page, id);
    await expect(editor(page).getByText('couldn’t be loaded: /media/default/none.png')).toBeVisible();
    await line(page, 'Before').click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    const alt = editor(page).getByLabel('Alt text').first();
    await expect(alt).toBeFocused();
    await page.keyboard.type('A [green] hill');
    // Saving takes what is typed, though the input has the keyboard.
    await save(page);
    expect(await stored(admin, id)).toContain(`![A \\[green\\] hill](/media/default/${filename})`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Photo: "Anna"');
    // However slowly: after half a second, the editor begins another step.
    await page.keyboard.type('!!', { delay: 600 });
    await page.keyboard.press('Enter');
    await expect(editor(page)).toBeFocused();
    await checkA11y(page);
    await page.keyboard.press('Control+z');
    await expect(editor(page).getByLabel('Caption').first()).toHaveValue('');
    await page.keyboard.press('Control+y');
    await save(page);
    expect(await stored(admin, id)).toContain(`hill](/media/default/${filename} "Photo: \\"Anna\\"!!")\n\n![x]`);
    // The keyboard goes on in the text when a picture goes.
    await editor(page).getByRole('button', { name: 'Remove picture' }).last().press('Enter');
    await expect(editor(page)).toBeFocused();
    await page.keyboard.type('gone');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect(editor(page).getByLabel('Alt text')).toHaveCount(2);
    // What belongs to the file is reached from the text, too.
    await editor(page).getByRole('button', { name: `Actions for ${filename}` }).press('Enter');
    await page.getByRole('menuitem', { name: 'Crop and focal point…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Crop and focal point of ${filename}` });
    await expect(dialog.getByRole('button', { name: /^Focal point/ })).toBeVisible();
  });
});

test('looking and switching change no byte, and an edit changes its line alone', async ({ page, admin }) => {
  const body = '# One  \n\n\n* two\t\n\n+ three \n\n|a|b|\n|-|-|\n|1|2|\n\n__last__  ';
  const id = await given(admin, body);
  await open(page, id);
  for (const look of ['Source', 'Visual', 'Preview', 'Visual']) await field(page).locator('label', { hasText: look }).click();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await line(page, 'three').click();
  await page.keyboard.press('Home');
  await page.keyboard.type('X');
  await save(page);
  expect(await stored(admin, id)).toBe(body.replace('three', 'Xthree'));
});

// Inserting and pasting.

// Tables.

test('lists are counted, files dropped, signs composed, and lines written from the right', async ({ page, admin }) => {
  const id = await given(admin, '1. one\n2. two\n3. three\n\nשלום abc\n\nend');
  await page.setViewportSize({ width: 390, height: 700 });
  await open(page, id);

  // A line that moves takes the number of its place.
  await line(page, 'three').click();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(line(page, 'three')).toHaveText(/1\.\s*three/);
  await expect(line(page, 'one')).toHaveText(/2\.\s*one/);
  await page.keyboard.press('Control+z');
  await expect(line(page, 'one')).toHaveText(/1\.\s*one/);

  // Each line is written from the side that its letters ask for.
  await expect(line(page, 'שלום')).toHaveCSS('direction', 'rtl');
  await expect(line(page, 'end')).toHaveCSS('direction', 'ltr');

  // The menus end before the edge of the window.
  await line(page, 'end').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const session = await page.context().newCDPSession(page);
  // What an input method composes opens no menu; the same sign typed does.
  await session.send('Input.imeSetComposition', { text: '/', selectionStart: 1, selectionEnd: 1 });
  await expect(line(page, '/')).toBeVisible();
  await expect(page.getByRole('listbox', { name: 'Insert' })).toHaveCount(0);
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await session.send('Input.insertText', { text: '日本' });
  await expect(line(page, '日本')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('/');
  const menu = page.getByRole('listbox', { name: 'Insert' });
  await expect(menu).toBeVisible();
  const bar = (await page.locator('[data-thumb-bar]').boundingBox())?.y ?? 0;
  const box = await menu.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 900)).toBeLessThanOrEqual(bar);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');

  // A file that is dropped on the text is uploaded and stands where it fell.
  const data = await page.evaluateHandle((png) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(png), (it) => it.charCodeAt(0))], 'dropped.png', { type: 'image/png' }));
    return transfer;
  }, PNG.toString('base64'));
  const place = await line(page, 'end').boundingBox();
  const at = { clientX: (place?.x ?? 0) + (place?.width ?? 0) - 2, clientY: (place?.y ?? 0) + 4 };
  await editor(page).dispatchEvent('drop', { dataTransfer: data, ...at });
  await expect(editor(page).locator('img[src*="dropped"]')).toBeVisible();
  await save(page);
  expect(await stored(admin, id)).toContain('/media/default/dropped.png');
  expect(await stored(admin, id)).toMatch(/end[\s\S]*dropped\.png[\s\S]*日本/);
});
