/** Tables of Markdown as a grid. */
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, test } from './harness';

test.use({ sample: false });

async function given(admin: Admin, body: string): Promise<string> {
  await admin.api('POST', 'content-types', {
    name: 'texts',
    label: 'Texts',
    fields: {
      title: { type: 'text' },
      body: { type: 'markdown', label: 'Body' },
      note: { type: 'textarea', label: 'Note' },
      page: { type: 'html', label: 'Page' },
    },
  });
  return (await admin.api<{ id: string }>('POST', 'content/texts', { title: 'One', body })).id;
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Body', exact: true });
const field = (page: Page) => page.getByRole('group', { name: 'Body', exact: true });
const grid = (page: Page) => field(page).getByRole('grid');
const cell = (page: Page, name: string) => grid(page).getByRole('textbox', { name, exact: true });
const stored = async (admin: Admin, id: string) =>
  (await admin.api<{ data: Record<string, string> }>('GET', `content/texts/${id}`)).data;

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/texts/${id}`);
  await expect(editor(page)).toBeVisible();
}

async function save(page: Page): Promise<void> {
  const answer = page.waitForResponse((it) => it.request().method() === 'PATCH' && it.url().includes('/content/texts/'));
  await page.keyboard.press('Control+s');
  expect((await answer).status()).toBe(200);
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((plain) => {
    const data = new DataTransfer();
    data.setData('text/plain', plain);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

const RAGGED = '*Before*\n\na|b\n-|-\n1|2\n\n> | q |\n> |-|\n\nBetween\n\n|x|y|\n|:-|-|\n|**bold** \\| pipe|日本|\n';

test('a table is a grid by keyboard, and only the table that is edited is written anew', async ({ page, admin }) => {
  const id = await given(admin, RAGGED);
  await open(page, id);
  await expect(field(page).getByRole('grid')).toHaveCount(2);
  await expect(field(page).getByRole('gridcell', { name: 'bold | pipe' }).locator('strong')).toHaveText('bold');
  // From the text into the grid, along its cells, and a row more.
  await editor(page).locator('.cm-line').first().click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const first = field(page).getByRole('grid').first();
  await expect(first.getByRole('textbox', { name: 'Header of column 1' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(first.getByRole('textbox', { name: 'a, row 1' })).toBeFocused();
  await page.keyboard.type('one');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(first.getByRole('textbox', { name: 'a, row 2' })).toBeFocused();
  await page.keyboard.type('3 | 4');
  // Each step alone.
  await page.keyboard.press('Control+z');
  await expect(first.getByRole('textbox', { name: 'a, row 2' })).toHaveText('');
  await page.keyboard.press('Control+z');
  await expect(first.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+y');
  await expect(first.getByRole('gridcell', { name: '3 | 4' })).toBeVisible();
  await expect(first.getByRole('textbox', { name: 'a, row 2' })).toBeFocused();
  // Down and out: what is written there is no row.
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('After');
  await expect(first.getByRole('row')).toHaveCount(3);
  await save(page);
  const table = ['| a      | b   |', '| ------ | --- |', '| one    | 2   |', '| 3 \\| 4 |     |'].join('\n');
  expect((await stored(admin, id)).body).toBe(RAGGED.replace('a|b\n-|-\n1|2\n\n', `${table}\n\nAfter\n`));
});

test('a table that is typed as Markdown becomes a grid once the caret leaves it', async ({ page, admin }) => {
  const id = await given(admin, 'Before\n');
  await open(page, id);
  await editor(page).locator('.cm-line').first().click();
  await page.keyboard.press('Control+End');
  for (const line of ['', '| a | b |', '|:--|--:|', '| 1 | 2 |', '']) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await expect(grid(page).getByRole('row')).toHaveCount(2);
  await expect(grid(page).getByRole('gridcell').last()).toHaveText('2');
  await page.keyboard.type('After');
  await save(page);
  expect((await stored(admin, id)).body).toContain('\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\nAfter');
});

test('rows and columns are changed in the menu of a table', async ({ page, admin }) => {
  const id = await given(admin, 'Words\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\nMore\n');
  await open(page, id);
  await grid(page).getByRole('gridcell', { name: '2' }).click();
  await expect(cell(page, 'b, row 1')).toBeFocused();
  await checkA11y(page);
  const choose = async (name: string) => {
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name, exact: true }).or(page.getByRole('menuitemradio', { name, exact: true })).press('Enter');
    await expect(page.getByRole('menu')).toHaveCount(0);
  };
  await choose('Move column left');
  await expect(cell(page, 'b, row 1')).toBeFocused();
  await choose('Right');
  await choose('Insert row below');
  await expect(cell(page, 'b, row 2')).toBeFocused();
  await page.keyboard.type('new');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(cell(page, 'b, row 1')).toHaveText('new');
  await choose('Insert column right');
  await expect(cell(page, '2, row 1')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(grid(page).getByRole('columnheader')).toHaveCount(2);
  await page.getByRole('button', { name: 'Table actions' }).press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(grid(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editor(page)).toBeFocused();
  await save(page);
  const table = ['|   b | a   |', '| --: | --- |', '| new |     |', '|   2 | 1   |', '|   4 | 3   |'].join('\n');
  expect((await stored(admin, id)).body).toBe(`Words\n\n${table}\n\nMore\n`);
});

test('cells of a spreadsheet make a table or fill one', async ({ page, admin }) => {
  const id = await given(admin, 'Words\n\n\n');
  await open(page, id);
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await paste(page, 'Name\tPrice\nTea\t3\n');
  await expect(cell(page, 'Header of column 1')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(grid(page)).toBeHidden();
  await page.keyboard.press('Control+y');
  await grid(page).getByRole('gridcell', { name: '3' }).click();
  await paste(page, '4\tcold\n5\thot');
  await expect(grid(page).getByRole('row')).toHaveCount(3);
  await expect(grid(page).getByRole('columnheader')).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await expect(grid(page).getByRole('columnheader')).toHaveCount(2);
  await page.keyboard.press('Control+y');
  await save(page);
  const table = ['| Name | Price |      |', '| ---- | ----- | ---- |', '| Tea  | 4     | cold |', '|      | 5     | hot  |'].join('\n');
  expect((await stored(admin, id)).body).toBe(`Words\n\n\n${table}`);
});
