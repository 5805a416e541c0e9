/** A long article, written by keyboard alone, and the same pasted from word processors: one text, one undo each. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, interceptRequests, test } from './harness';

const FIELDS = { title: { type: 'text', required: true }, body: { type: 'markdown', label: 'Body' } };

interface Stored {
  data: { body: string | null };
}

async function given(admin: Admin, body = ''): Promise<string> {
  await admin.api('POST', 'content-types', { name: 'articles', label: 'Articles', fields: FIELDS });
  return create(admin, 'The article', body);
}

async function create(admin: Admin, title: string, body = ''): Promise<string> {
  return (await admin.api<{ id: string }>('POST', 'content/articles', { title, ...(body && { body }) })).id;
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Body', exact: true });
const menu = (page: Page) => page.getByRole('listbox', { name: 'Insert' });

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/admin/w/default/content/articles/${id}`);
  await text(page).focus();
}

/** Saves, and returns the text in the file. */
async function save(page: Page, admin: Admin, id: string): Promise<string> {
  const answer = page.waitForResponse((it) => it.request().method() === 'PATCH' && it.url().includes('/content/articles/'));
  await page.keyboard.press('Control+s');
  expect((await answer).status()).toBe(200);
  return (await admin.api<Stored>('GET', `content/articles/${id}`)).data.body ?? '';
}

/** Pastes what a program puts on the clipboard. */
async function paste(page: Page, clip: Record<string, string>): Promise<void> {
  await text(page).evaluate((element, given) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(given)) clipboardData.setData(type, value);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, clip);
}

/** Gives a picture to the text, as a drop or the clipboard does. */
async function give(page: Page, name: string, how: 'paste' | 'drop'): Promise<void> {
  await text(page).evaluate(
    (element, { name, how, bytes }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(bytes), (it) => it.charCodeAt(0))], name, { type: 'image/png' }));
      const { right, bottom } = (element.lastElementChild ?? element).getBoundingClientRect();
      const options = { bubbles: true, cancelable: true };
      const event =
        how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data, clientX: right - 2, clientY: bottom - 4 });
      element.dispatchEvent(event);
    },
    { name, how, bytes: PIXEL },
  );
}

/** Keeps uploads waiting until the function that it returns is called. */
async function holdUploads(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await interceptRequests(page, '**/admin/api/media', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Chooses from the menu that a slash opens, by the beginning of a name. */
async function insert(page: Page, words: string): Promise<void> {
  await page.keyboard.type(`/${words}`);
  await expect(menu(page).getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(menu(page)).toBeHidden();
}

/** The article, as it stands in the file. */
const article = (entry: string, [harbour, cliffs, meadow]: readonly string[]) => `## The coast path

The path is **twelve miles** long and *never* steep. The [map](https://example.org/map) shows it, [Harbours](recto:articles/${entry}) tells the rest.

![The harbour](${harbour})

### Stages

| Stage   | Miles |
| ------- | ----- |
| Harbour | 5     |
| Cliffs  | 7     |

> The sea was never the same colour twice.

![White cliffs](${cliffs})

### What to take

- Water
- A hat

![The last meadow](${meadow})`;

const PICTURES = ['/media/default/pasted-1.png', '/media/default/pasted-2.png', '/media/default/pasted-3.png'];

test('a long article is pasted from word processors, and written by keyboard: the text is the same', async ({ page, admin, server }) => {
  const id = await given(admin);
  const entry = await create(admin, 'Harbours');
  const address = `${server.url}/admin/w/default/content/articles/${entry}`;
  const clip = (name: string) => ({ 'text/html': readFileSync(`e2e/pasted/${name}.html`, 'utf8').replace('{{ENTRY}}', address), 'text/plain': 'The coast path' });

  await open(page, id);
  await paste(page, clip('google-docs'));
  await expect(text(page)).toContainText('What to take');
  expect(await save(page, admin, id)).toBe(article(entry, PICTURES));
  await text(page).focus();
  await page.keyboard.press('Control+z');
  await expect(text(page)).toHaveText('');

  await paste(page, clip('word'));
  await expect(text(page)).toContainText('What to take');
  await expect(page.getByText('3 pictures couldn’t be pasted')).toBeVisible();
  expect(await save(page, admin, id)).toBe(article(entry, []).replaceAll(/!\[.*\n\n|\n\n!\[.*$/g, ''));
  await text(page).focus();
  await page.keyboard.press('Control+z');
  await expect(text(page)).toHaveText('');

  await writeArticle(page);
  expect(await save(page, admin, id)).toBe(article(entry, PICTURES));
});

/** Types the article, with the menu of the slash wherever it helps. */
async function writeArticle(page: Page): Promise<void> {
  const { keyboard } = page;
  await insert(page, 'heading 2');
  await keyboard.type('The coast path\n\nThe path is **twelve miles** long and *never* steep. The map');
  await keyboard.press('Control+Shift+ArrowLeft');
  await paste(page, { 'text/plain': 'https://example.org/map' });
  await keyboard.type(' shows it, ');
  await insert(page, 'entry');
  const search = page.getByRole('combobox', { name: 'Search entries' });
  await expect(search).toBeFocused();
  await keyboard.type('harb');
  await expect(page.getByRole('option', { name: /Harbours/ })).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('Enter');
  await expect(search).toBeHidden();
  await keyboard.type(' tells the rest.\n\n');
  await insertPicture(page, 'pasted-1', 'The harbour');
  await keyboard.type('\n\n');
  await insert(page, 'h3');
  await keyboard.type('Stages\n\n');
  await insert(page, 'table');
  for (const [at, cell] of ['Stage', 'Miles', 'Harbour', '5', 'Cliffs', '7'].entries()) {
    if (at > 0) await keyboard.press('Tab');
    await keyboard.press('Control+a');
    await keyboard.type(cell);
  }
  await keyboard.press('Escape');
  await keyboard.type('\n');
  await insert(page, 'quote');
  await keyboard.type('The sea was never the same colour twice.\n\n\n');
  await insertPicture(page, 'pasted-2', 'White cliffs');
  await keyboard.type('\n\n');
  await insert(page, 'h3');
  await keyboard.type('What to take\n\n');
  await insert(page, 'bull');
  await keyboard.type('Water\nA hat\n\n\n');
  await insertPicture(page, 'pasted-3', 'The last meadow');
}

/** Picks a picture of the library, and gives it an alt text at its place. */
async function insertPicture(page: Page, name: string, alt: string): Promise<void> {
  await insert(page, 'picture');
  const picker = page.getByRole('dialog', { name: 'Choose files' });
  await expect(picker.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(name);
  const files = picker.getByRole('gridcell');
  await expect(files).toHaveText([new RegExp(name)]);
  await files.press('Space');
  await picker.getByRole('button', { name: 'Use 1 file' }).press('Enter');
  await expect(picker).toBeHidden();
  // The alt text is asked for at the picture.
  await expect(page.getByRole('textbox', { name: 'Alt text' }).last()).toBeFocused();
  await page.keyboard.type(alt);
  await page.keyboard.press('Enter');
  await expect(text(page)).toBeFocused();
}

/** Resolves with the classes of what has the focus when an element leaves the page. */
function focusedOnceGone(element: HTMLElement): { classes: Promise<string | undefined> } {
  const classes = new Promise<string | undefined>((resolve) => {
    new MutationObserver((_, observer) => {
      if (element.isConnected) return;
      observer.disconnect();
      resolve(document.activeElement?.className);
    }).observe(document, { childList: true, subtree: true });
  });
  return { classes };
}

test('the text has the keyboard at the moment that a dialog closes', async ({ page, admin }) => {
  const id = await given(admin);
  const entry = await create(admin, 'Harbours');
  await open(page, id);
  for (const [words, name, key] of [
    ['entry', 'Search entries', 'Enter'],
    ['entry', 'Search entries', 'Escape'],
    ['video', 'URL', 'Enter'],
    ['video', 'URL', 'Escape'],
  ] as const) {
    await insert(page, words);
    const input = page.getByRole('dialog').getByLabel(name, { exact: true });
    await expect(input).toBeFocused();
    await page.keyboard.type(name === 'URL' ? 'https://example.org/film' : 'harb');
    if (name !== 'URL') await expect(page.getByRole('option', { name: /Harbours/ })).toHaveAttribute('aria-selected', 'true');
    const focused = await input.evaluateHandle(focusedOnceGone);
    await page.keyboard.press(key);
    expect(await focused.evaluate(({ classes }) => classes)).toContain('cm-content');
    await page.keyboard.type(` after ${key}\n`);
  }
  const link = `[Harbours](recto:articles/${entry})`;
  expect(await save(page, admin, id)).toBe(`${link} after Enter\n after Escape\n\n<https://example.org/film> after Enter\n after Escape\n`);
});

test('the menu of the slash filters, moves and leaves the slash alone', async ({ page, admin }) => {
  const id = await given(admin);
  await open(page, id);
  await page.keyboard.type('and/or 1');
  await expect(menu(page)).toBeHidden();
  await page.keyboard.type(' /');
  await expect(menu(page)).toBeVisible();
  await checkA11y(page);
  await page.keyboard.press('ArrowUp');
  await expect(menu(page).getByRole('option', { name: 'Footnote' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('todo');
  await expect(menu(page).getByRole('option')).toHaveText(['Task list']);
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await page.keyboard.type(' stays');
  await expect(text(page)).toHaveText('and/or 1 /todo stays');
  // What is chosen comes in the place of the slash, and one undo takes it back.
  await page.keyboard.press('Enter');
  await insert(page, 'divider');
  await page.keyboard.type('below');
  expect(await save(page, admin, id)).toBe('and/or 1 /todo stays\n\n---\n\nbelow');
});

test('pictures are uploaded to their place, while writing goes on', async ({ page, admin }) => {
  const id = await given(admin, 'before  after');
  await open(page, id);
  let release = await holdUploads(page);
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 'before '.length; step += 1) await page.keyboard.press('ArrowRight');
  await give(page, 'hill.png', 'paste');
  await expect(page.getByRole('progressbar', { name: 'Uploading hill.png…' })).toBeVisible();
  await checkA11y(page);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and more');
  // What is saved in between has nothing half done in it.
  expect(await save(page, admin, id)).toBe('before  after and more');
  release();
  await expect(page.getByRole('progressbar', { name: 'Uploading hill.png…' })).toBeHidden();
  // The caret is where the writing goes on; a picture that is waited for asks for its alt text.
  await page.keyboard.type('. ');
  await give(page, 'sea.png', 'paste');
  await expect(page.getByRole('textbox', { name: 'Alt text' }).last()).toBeFocused();
  await page.keyboard.type('A sea');
  await page.keyboard.press('Enter');
  const written = 'before ![](/media/default/hill.png) after and more. ![A sea](/media/default/sea.png)';
  expect(await save(page, admin, id)).toBe(written);
  // Whoever is in another field by then stays there.
  release = await holdUploads(page);
  await give(page, 'moor.png', 'paste');
  await page.getByRole('textbox', { name: 'Title' }).focus();
  release();
  await expect(text(page).getByLabel('Alt text')).toHaveCount(3);
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  expect(await save(page, admin, id)).toBe(`${written}![](/media/default/moor.png)`);
  // Whoever closes the text before that is told.
  release = await holdUploads(page);
  await give(page, 'bog.png', 'paste');
  await expect(page.getByRole('progressbar', { name: 'Uploading bog.png…' })).toBeVisible();
  await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
  // Not only hidden: while the next screen is loading, the text is still there.
  await expect(page.getByRole('textbox', { name: 'Body', exact: true, includeHidden: true })).toHaveCount(0);
  release();
  await expect(page.getByText('The text was closed before everything was inserted.')).toBeVisible();
});

test('what is pasted is taken as it is meant', async ({ page, admin, server }) => {
  const id = await given(admin);
  await open(page, id);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await interceptRequests(page, '**/convert.js', async (route) => {
    await held;
    await route.continue();
  });
  // Nothing of what is pasted runs or loads.
  await paste(page, { 'text/html': '<img src="https://example.org/x.png" onerror="window.ran=1"><script>window.ran=1</script><p>Safe</p>', 'text/plain': 'Safe' });
  // What is typed before it is converted stays.
  await expect(text(page)).toContainText('Pasting…');
  await page.keyboard.type('Typed: ');
  release();
  await expect(text(page)).toContainText(/Typed: .*Safe/);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect(requests.filter((it) => !it.startsWith(server.url))).toEqual([]);

  const bold = { 'text/html': '<p>some <b>bold</b> words</p>', 'text/plain': 'some bold words' };
  await page.keyboard.press('Control+a');
  await page.keyboard.type('a word ');
  await paste(page, bold);
  await expect(text(page)).toContainText('bold');
  await page.keyboard.type(', ');
  await text(page).dispatchEvent('keydown', { key: 'V', code: 'KeyV', ctrlKey: true, shiftKey: true });
  await paste(page, bold);
  await page.keyboard.type(' ');
  await paste(page, { 'text/plain': 'https://example.org/' });
  await expect(text(page)).toContainText('example.org');
  const line = 'a word some **bold** words, some bold words <https://example.org/>';
  expect(await save(page, admin, id)).toBe(line);
  // Markdown of the editor itself comes back as it was.
  await text(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+v');  expect(await save(page, admin, id)).toBe(`${line}\n${line}`);
});

test('links to entries say where they lead, and that an entry is gone', async ({ page, admin }) => {
  const id = await given(admin);
  const there = await create(admin, 'Harbours');
  await admin.api('PATCH', `content/articles/${id}`, { body: `[here](recto:articles/${there}) and [gone](recto:articles/none)\n\n<https://www.youtube.com/watch?v=1>\n` });
  await open(page, id);
  await expect(page.getByRole('img', { name: /deleted/ })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Open in a new tab', exact: true })).toHaveAttribute('href', 'https://www.youtube.com/watch?v=1');
  await checkA11y(page);
});
