/** The frame of long texts: the whole window with title and saving, the outline, counts and the search. */
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, expect, interceptRequests, resizeWindow, test } from './harness';

test.use({ sample: false });

const BODY = `## Hills\n\nGrass on the hills.\n\n${'More words.\n\n'.repeat(60)}### Far hills\n\n| Hill | Height |\n| --- | --- |\n| Green hill | 100 |\n`;

async function given(admin: Admin): Promise<string> {
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
  const entry = { title: 'One', body: BODY, note: 'Plain', page: '<h2>Top</h2>\n\n<p>Some <b>bold</b> words</p><script>alert(1)</script>' };
  return (await admin.api<{ id: string }>('POST', 'content/texts', entry)).id;
}

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

test('a text fills the window, with its title, its saving and its outline', async ({ page, admin }) => {
  const id = await given(admin);
  await page.goto(`/admin/w/default/content/texts/${id}`);
  await group(page, 'Body').getByRole('button', { name: 'Full screen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Body' });
  const editor = dialog.getByRole('textbox', { name: 'Body', exact: true });
  await expect(editor).toBeFocused();
  await expect(dialog.getByText(/^13\d words · 1 min read$/)).toBeVisible();
  const outline = dialog.getByRole('navigation', { name: 'Outline' });
  await expect(outline.getByRole('button')).toHaveText(['Hills', 'Far hills']);
  await outline.getByRole('button', { name: 'Far hills' }).press('Enter');
  await expect(editor).toBeFocused();
  await expect(outline.getByRole('button', { name: 'Far hills' })).toHaveAttribute('aria-current', 'true');
  await expect(dialog.getByRole('grid')).toBeInViewport();
  await page.keyboard.type(' away');
  await expect(outline.getByRole('button', { name: 'Far hills away' })).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Two');
  await expect(dialog.getByText('Unsaved changes')).toBeVisible();
  await interceptRequests(page, '**/content/texts/*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 507, json: { error: { code: 'disk_full', message: 'The disk is full.' } } }) : route.fallback(),
  );
  await page.keyboard.press('Control+s');
  await expect(dialog.getByRole('alert')).toContainText('The disk is full.');
  await page.unroute('**/content/texts/*');
  await page.keyboard.press('Control+s');
  await expect(dialog.getByText(/^Saved/)).toBeVisible();
  expect(await admin.api('GET', `content/texts/${id}`)).toMatchObject({ title: 'Two', data: { body: BODY.replace('### Far hills', '### Far hills away') } });
  await checkA11y(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('what is found is replaced, in tables too', async ({ page, admin }) => {
  const id = await given(admin);
  await page.goto(`/admin/w/default/content/texts/${id}`);
  const body = group(page, 'Body');
  await body.getByRole('textbox', { name: 'Body', exact: true }).press('Control+f');
  const find = body.getByRole('textbox', { name: 'Find' });
  await expect(find).toBeFocused();
  await page.keyboard.type('hill');
  await expect(body.getByRole('search').getByRole('status')).toHaveText('5 matches');
  await body.getByRole('button', { name: 'Whole words' }).click();
  await expect(body.getByRole('search').getByRole('status')).toHaveText('2 matches');
  await find.press('Enter');
  await find.press('Enter');
  await expect(body.getByRole('search').getByRole('status')).toHaveText('2 of 2');
  await expect(body.getByRole('gridcell', { name: 'Green hill' })).toHaveAttribute('data-found', '');
  await find.press('Control+Alt+f');
  await body.getByRole('textbox', { name: 'Replace with' }).fill('mountain');
  await checkA11y(page);
  await body.getByRole('button', { name: 'Replace all' }).click();
  await expect(body.getByRole('gridcell', { name: 'Green mountain' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(body.getByRole('search')).toBeHidden();
  await page.keyboard.press('Control+z');
  await expect(body.getByRole('gridcell', { name: 'Green hill' })).toBeVisible();
});

test('plain texts and HTML have the same frame', async ({ page, admin }) => {
  const id = await given(admin);
  await page.goto(`/admin/w/default/content/texts/${id}`);
  await page.getByRole('button', { name: 'Note: full screen' }).press('Enter');
  const writer = page.getByRole('dialog', { name: 'Note' }).getByRole('textbox', { name: 'Note' });
  await expect(writer).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' words');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Plain words');
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused();
  const html = group(page, 'Page');
  await expect(html.getByText('4 words')).toBeVisible();
  await html.getByRole('button', { name: 'Outline' }).click();
  await page.getByRole('menuitem', { name: 'Top' }).click();
  await expect(html.getByRole('textbox', { name: 'Page' })).toBeFocused();
  await html.locator('label', { hasText: 'Preview' }).click();
  await expect(html.locator('b')).toHaveText('bold');
  await expect(html.locator('script')).toHaveCount(0);
});

test('saving and publishing fit on a phone, also in longer words', async ({ page, admin }) => {
  const id = await given(admin);
  await page.goto('/admin/system/profile');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.goto(`/admin/w/default/content/texts/${id}`);
  await group(page, 'Body').getByRole('button', { name: 'Vollbild' }).click();
  const dialog = page.getByRole('dialog', { name: 'Body' });
  for (const width of [390, 360]) {
    await resizeWindow(page, { width, height: 700 });
    for (const name of ['Speichern', 'Veröffentlichen']) {
      const button = dialog.getByRole('button', { name, exact: true });
      await expect(button).toBeInViewport({ ratio: 1 });
      expect(await button.locator('.mantine-Button-label').evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
    }
  }
  // A new entry has the longest words.
  await page.goto('/admin/w/default/content/texts/~new');
  await page.getByRole('textbox', { name: 'Title' }).fill('Unsaved');
  const bar = page.getByRole('button', { name: 'Weitere Aktionen' });
  await expect(bar).toBeInViewport({ ratio: 1 });
  await group(page, 'Body').getByRole('button', { name: 'Vollbild' }).click();
  for (const name of ['Entwurf speichern', 'Veröffentlichen', 'Weitere Aktionen']) {
    await expect(dialog.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
  await expect(dialog.getByText('auf diesem Gerät gesichert')).toBeInViewport({ ratio: 1 });
});
