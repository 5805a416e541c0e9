import { deflateSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { Admin, checkA11y, expect, interceptRequests, test } from './harness';

/** The smallest picture of a colour that is one. */
function png(red: number): Uint8Array {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes: Buffer) => {
    let c = 0xffffffff;
    for (const byte of bytes) c = (table[(c ^ byte) & 255] ?? 0) ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
  };
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(8 + body.length);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), 4 + body.length);
    return out;
  };
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from([0, red, 90, 40]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const LIBRARY = '/admin/w/default/media';
const tiles = (page: Page) => page.getByRole('grid', { name: 'Files' }).getByRole('gridcell');
const tile = (page: Page, name: string) => page.locator(`[role=gridcell][data-filename="${name}"]`);

/** Waits until the pictures of a file are there: asked for later, they would be of a name that is gone. */
async function pictured(page: Page, name: string): Promise<void> {
  await expect(tile(page, name)).toBeVisible();
  const isComplete = () => page.evaluate((it) => [...document.images].filter((img) => img.src.includes(it)).every((img) => img.complete), name);
  await expect.poll(isComplete).toBe(true);
}
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });
/** What is stored of the picture that these tests frame. */
const framing = async (admin: Admin) =>
  (await admin.api('GET', 'media/two-loaves.jpg')) as unknown as { focus: number[] | null; crop: number[] | null };
const payload = (name: string, red = 10) => ({ name, mimeType: 'image/png', buffer: Buffer.from(png(red)) });

/** Lets go of a file over the page, or pastes it. */
async function give(page: Page, how: 'drop' | 'paste', name: string): Promise<void> {
  const bytes = [...png(99)];
  await page.evaluate(
    ([how, name, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      if (how === 'paste') {
        window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        return;
      }
      for (const type of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    [how, name, bytes] as const,
  );
}

/** Holds a file over an element, or lets go of it there. */
function giveTo(element: Locator, end: 'dragover' | 'drop'): Promise<void> {
  return element.evaluate(
    (it, [end, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'other.png', { type: 'image/png' }));
      for (const type of ['dragenter', 'dragover', ...(end === 'drop' ? [end] : [])]) {
        it.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    [end, [...png(99)]] as const,
  );
}

test('a picture is uploaded, described and put into a category', async ({ page, admin }) => {
  await page.goto(`${LIBRARY}?category=Graphics`);
  await page.locator('input[type=file]').first().setInputFiles(payload('stamp.png'));
  await expect(page.getByRole('region', { name: 'Uploads' })).toContainText('stamp.png');
  await tile(page, 'stamp.png').click();
  const side = panel(page, 'stamp.png');
  await expect(side.getByText('1 × 1 pixels')).toBeVisible();

  await side.getByLabel('Alt text', { exact: true }).fill('A red stamp');
  await expect(side.getByText('Unsaved changes')).toBeVisible();
  // Another file would lose it.
  await tile(page, 'emblem.png').click();
  await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).getByRole('button', { name: 'Cancel' }).click();
  await side.getByLabel('Alt text', { exact: true }).press('ControlOrMeta+s');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await admin.api('GET', 'media/stamp.png')).toMatchObject({ alt: 'A red stamp', category: 'Graphics' });

  await side.getByLabel('Category').click();
  await page.getByRole('option', { name: 'Kitchen' }).click();
  await expect(page.getByText('1 file moved: Photos / Kitchen')).toBeVisible();
  await expect(tile(page, 'stamp.png')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tile(page, 'stamp.png')).toBeVisible();

  await side.getByText('Private', { exact: true }).click();
  await expect(tile(page, 'stamp.png').getByText('Private')).toBeAttached();
  expect(await admin.api('GET', 'media/stamp.png')).toMatchObject({ visibility: 'private' });
});

test('the point that stays in view is clicked, and a part is drawn', async ({ page, admin }) => {
  await page.goto(`${LIBRARY}?file=two-loaves.jpg`);
  const side = panel(page, 'two-loaves.jpg');
  const mark = side.getByRole('button', { name: /^Focal point: 50% from the left, 50% from the top/ });
  await expect(mark).toBeVisible();
  const picture = side.locator('[data-mode=focus]');
  await picture.scrollIntoViewIfNeeded();
  const box = (await picture.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.75);
  await expect(side.getByRole('button', { name: /^Focal point: 25% from the left, 75% from the top/ })).toBeVisible();
  await expect(page.getByText('Crop and focal point changed')).toBeVisible();
  await checkA11y(page);
  // Keys move it as well.
  await side.getByRole('button', { name: /^Focal point: 25%/ }).press('Shift+ArrowRight');
  await expect.poll(async () => (await framing(admin)).focus?.[0]).toBeCloseTo(0.35, 1);
  await side.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(async () => (await framing(admin)).focus).toBe(null);

  await side.getByText('Crop', { exact: true }).click();
  const drawn = side.locator('[data-mode=crop]');
  await drawn.scrollIntoViewIfNeeded();
  const area = (await drawn.boundingBox())!;
  await page.mouse.move(area.x + area.width * 0.5, area.y + area.height * 0.5);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width * 0.9, area.y + area.height * 0.9, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await framing(admin)).crop?.[0]).toBeCloseTo(0.5, 1);
  await checkA11y(page);
  // The look at narrow pages has opened the panel anew.
  await side.getByText('Crop', { exact: true }).click();
  await side.getByRole('textbox', { name: 'Left' }).fill('10');
  await side.getByRole('textbox', { name: 'Left' }).press('Enter');
  await expect.poll(async () => (await framing(admin)).crop?.[0]).toBe(0.1);
});

test.describe('in a tab whose session another login replaced', () => {
  // The browser itself tells of each refusal.
  test.use({ expectedComplaints: [/Failed to load resource/] });

  test('a picture is uploaded all the same', async ({ page, server }) => {
    await page.goto(LIBRARY);
    const chooser = page.locator('input[type=file]').first();
    await chooser.waitFor({ state: 'attached' });
    const other = await new Admin(server.url, 'anna').logIn();
    await other.lend(page.context());
    await chooser.setInputFiles(payload('kept.png', 55));
    await expect(tile(page, 'kept.png')).toBeVisible();
  });
});

test('the same bytes again are told', async ({ page, admin }) => {
  await admin.upload('first.png', png(77));
  await page.goto(LIBRARY);
  await page.locator('input[type=file]').first().setInputFiles(payload('second.png', 77));
  await expect(page.getByText('This file already exists: first.png')).toBeVisible();

  // The copy makes way for the file that was there before.
  await page.getByRole('button', { name: 'Use existing file' }).click();
  await expect(panel(page, 'first.png')).toBeVisible();
  await expect(tile(page, 'second.png')).toHaveCount(0);
});

test('a file is replaced, and what it was comes back', async ({ page, admin }) => {
  await admin.upload('badge.png', png(10));
  await page.goto(`${LIBRARY}?file=badge.png`);
  const side = panel(page, 'badge.png');
  const address = () => side.locator('img[src^="/media/"]').getAttribute('src');
  const first = await address();
  await expect(side.getByRole('heading', { name: 'Earlier versions' })).toHaveCount(0);
  const choose = (...files: ReturnType<typeof payload>[]) => side.locator('input[type=file]').setInputFiles(files);

  await choose(payload('another name.png', 200));
  await expect(page.getByText('badge.png replaced')).toBeVisible();
  await expect.poll(address).not.toBe(first);
  const earlier = side.getByRole('listitem').filter({ hasText: 'Replaced' });
  await expect(earlier).toHaveCount(1);
  await expect(earlier).toContainText('anna');
  await expect(earlier).toContainText('1 × 1');
  await expect.poll(() => earlier.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  await checkA11y(page);

  // The same bytes are no change, and neither are those of another type.
  await choose(payload('again.png', 200));
  await expect(page.getByText('badge.png already has this content')).toBeVisible();
  await choose({ name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
  await expect(page.getByText('The content of this file does not fit its name. It may be damaged.').first()).toBeVisible();
  await expect(earlier).toHaveCount(1);

  await earlier.getByRole('button', { name: /^Restore/ }).click();
  await expect(page.getByText('Earlier version of badge.png restored')).toBeVisible();
  await expect.poll(address).toBe(first);
  await expect(earlier).toHaveCount(1);
});

test('a file that is dropped on the open one replaces it', async ({ page, admin }) => {
  await admin.upload('badge.png', png(10));
  await page.goto(`${LIBRARY}?file=badge.png`);
  const side = panel(page, 'badge.png');
  const before = await admin.api<{ etag: string }>('GET', 'media/badge.png');
  await giveTo(side.getByRole('button', { name: 'Replace file' }), 'dragover');
  await expect(side.getByText('Drop a file here to replace badge.png')).toBeVisible();
  await giveTo(side.getByRole('button', { name: 'Replace file' }), 'drop');
  await expect(page.getByText('badge.png replaced')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  const etag = async () => (await admin.api<{ etag: string }>('GET', 'media/badge.png')).etag;
  await expect.poll(etag).toBe(before.etag);
  await expect(tiles(page)).toHaveCount(7);
});

test('files are dropped on the page and pasted into it, and are private from the start where that is chosen', async ({ page, server }) => {
  await page.goto(LIBRARY);
  await expect(tiles(page)).toHaveCount(6);
  await give(page, 'drop', 'dropped.png');
  await expect(tile(page, 'dropped.png')).toBeVisible();
  await page.getByRole('button', { name: 'Visibility of new files' }).press('Enter');
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible();
  await page.getByRole('menuitemradio', { name: 'Private' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Upload as private' })).toBeVisible();
  await give(page, 'drop', 'secret.png');
  await expect(tile(page, 'secret.png').getByText('Private')).toBeAttached();
  await expect(tile(page, 'dropped.png').getByText('Private')).toHaveCount(0);
  expect((await fetch(`${server.url}/media/default/secret.png`)).status).toBe(401);
  await give(page, 'paste', 'image.png');
  await expect(page.locator('[data-filename^="pasted-20"]')).toBeVisible();
});

test('uploads are told by what became of them, and pictures are described in one go', async ({ page, admin }) => {
  await page.goto(LIBRARY);
  // The server may refuse for a while, and takes the same file later.
  await interceptRequests(page, '**/admin/api/media', (route) => {
    const isBusy = route.request().method() === 'POST' && route.request().postData()?.includes('later.png');
    return isBusy ? route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Too busy.' } } }) : route.fallback();
  });
  await page.locator('input[type=file]').first().setInputFiles([
    payload('fine.png', 20),
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>no</p>') },
    payload('later.png', 21),
    payload('other.png', 22),
  ]);
  const tray = page.getByRole('region', { name: 'Uploads', exact: true });
  await expect(tray.getByText('2 files weren’t uploaded')).toBeVisible();
  await expect(tray.getByRole('listitem').first()).toContainText('page.html');
  const refused = tray.getByRole('region', { name: 'Not uploaded' });
  await expect(refused.getByText('Files of this type')).toBeVisible();
  // Nothing makes the server take a page.
  await expect(refused.getByRole('button', { name: /again/ })).toHaveCount(1);
  await page.unroute('**/admin/api/media');
  await refused.getByRole('button', { name: 'Try later.png again' }).click();
  await expect(tile(page, 'later.png')).toBeVisible();
  await refused.getByRole('button', { name: 'Remove page.html from the list' }).click();
  await expect(tray.getByText('3 pictures need')).toBeVisible();
  // The list stays large while somebody is at it.
  await tray.hover();
  await checkA11y(page);

  await tray.getByRole('textbox').first().fill('A fine stamp');
  await page.keyboard.press('Enter');
  await expect(tray.getByRole('textbox')).toHaveCount(2);
  await expect(tray.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.type('Another stamp');
  await page.keyboard.press('Enter');
  await expect(tray.getByText('1 picture needs')).toBeVisible();
  expect(await admin.api('GET', 'media/fine.png')).toMatchObject({ alt: 'A fine stamp' });
});

test('everything goes by keyboard', async ({ page, admin }) => {
  await admin.upload('spare.png', png(1));
  await page.goto(LIBRARY);
  await expect(tiles(page)).toHaveCount(7);
  await pictured(page, 'spare.png');
  await page.getByLabel('View').getByRole('radio', { name: 'Grid' }).focus();
  await page.keyboard.press('Tab');
  await expect(tile(page, 'spare.png')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByRole('region', { name: '2 selected' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: '2 selected' })).toHaveCount(0);

  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(panel(page, 'spare.png')).toBeVisible();
  await expect(page).toHaveURL(/file=spare\.png/);
  await page.getByRole('button', { name: 'Close panel' }).focus();
  await page.keyboard.press('Escape');
  await expect(tile(page, 'spare.png')).toBeFocused();

  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete “spare.png”?' });
  await expect(dialog.getByText('No entry uses it.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(tiles(page)).toHaveCount(6);
  await expect(tiles(page).first()).toBeFocused();
});

test('categories are made, renamed, moved and deleted, and files dragged into them', async ({ page, admin }) => {
  await page.goto(LIBRARY);
  const tree = page.getByRole('navigation', { name: 'Categories' });
  await tree.getByRole('button', { name: 'New category' }).click();
  await expect(page.getByRole('dialog').getByText('Category names are public')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Name').fill('Press');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/category=Press/);
  await expect(page.getByText('This category is empty')).toBeVisible();

  await tree.getByRole('link', { name: 'All files' }).click();
  const target = tree.getByRole('link', { name: 'Press' });
  await tile(page, 'emblem.png').hover();
  await page.mouse.down();
  const box = await target.boundingBox();
  const row = tree.locator('[data-over]').filter({ has: page.getByRole('link', { name: 'Press' }) });
  await expect(async () => {
    await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 40);
    await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 16);
    await expect(row).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.mouse.up();
  await expect(page.getByText('1 file moved: Press')).toBeVisible();
  await expect(target).toContainText('1');
  await expect(page).not.toHaveURL(/file=/);

  const choose = async (item: string) => {
    await tree.getByRole('button', { name: /^Actions for (Press|Logos)$/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Rename');
  await page.getByRole('dialog').getByLabel('Name').fill('Logos');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(tree.getByRole('link', { name: 'Logos' })).toBeVisible();
  await choose('Move…');
  await page.getByRole('dialog').getByLabel('Move to').click();
  await page.getByRole('option', { name: 'Photos / Travel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await expect(page.getByText('“Logos” is now “Photos / Travel / Logos”')).toBeVisible();
  expect(await admin.api('GET', 'media/emblem.png')).toMatchObject({ category: 'Photos / Travel / Logos' });
  await choose('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(tree.getByRole('link', { name: 'Logos' })).toHaveCount(0);
  expect(await admin.api('GET', 'media/emblem.png')).toMatchObject({ category: '' });
});

test('a file that is used is not deleted unawares', async ({ page, admin }) => {
  await admin.upload('spare.png', png(1));
  await page.goto(`${LIBRARY}?file=two-loaves.jpg`);
  await pictured(page, 'spare.png');
  await panel(page, 'two-loaves.jpg').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog').getByText(/Used in \d places?, where/)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await tile(page, 'spare.png').locator('[data-check]').click();
  await tile(page, 'two-loaves.jpg').locator('[data-check]').click();
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 files' }).click();
  await expect(page.getByRole('dialog').getByText('1 file kept')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep file' }).click();
  await expect(tile(page, 'spare.png')).toHaveCount(0);
  await expect(tile(page, 'two-loaves.jpg')).toBeVisible();
});

test('a file gets another name wherever it is used', async ({ page, admin }) => {
  await page.goto(`${LIBRARY}?file=two-loaves.jpg`);
  await pictured(page, 'two-loaves.jpg');
  const usages = await admin.api<{ type: string; id: string }[]>('GET', 'media/two-loaves.jpg/usages');
  await panel(page, 'two-loaves.jpg').getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename file' });
  await expect(dialog.getByText(/Recto updates the name in \d places?/)).toBeVisible();
  await dialog.getByLabel('Name').fill('emblem');
  await dialog.getByLabel('Name').press('Enter');
  await expect(panel(page, 'emblem.jpg')).toBeVisible();
  expect(await admin.api('GET', 'media/emblem.jpg/usages')).toEqual(usages);
});

test('filters live in the address', async ({ page, admin }) => {
  await admin.upload('notes.txt', 'Flour, water, salt.', 'text/plain');
  await admin.upload('bare.png', png(3));
  await page.goto(LIBRARY);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Pictures without alt text' }).click();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page).toHaveURL(/alt=missing/);
  await page.reload();
  await expect(tile(page, 'bare.png')).toBeVisible();
  await page.goto(`${LIBRARY}?type=document&unused=1`);
  await expect(tiles(page)).toHaveCount(1);
  const words = page.getByRole('searchbox', { name: 'Search files' });
  await words.fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await words.press('Escape');
  await expect(words).toHaveValue('');
  await words.press('Escape');
  await expect(words).not.toBeFocused();
  await expect(tiles(page)).toHaveCount(1);
  await words.fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  // What is typed and not asked for yet is cleared as well.
  await words.pressSequentially('!');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(words).toHaveValue('');
  await expect(tiles(page)).toHaveCount(8);
  await page.goto(`${LIBRARY}?view=list&sort=name`);
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('bare.png');
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=size/);
});

test('what somebody else uploads appears', async ({ page, admin }) => {
  await page.goto(LIBRARY);
  await expect(tiles(page)).toHaveCount(6);
  await admin.upload('from-elsewhere.png', png(7));
  await expect(tile(page, 'from-elsewhere.png')).toBeVisible();
});

test('a large library is in the page only as far as it is seen', async ({ page, admin }) => {
  for (let batch = 0; batch < 4; batch += 1) {
    const form = new FormData();
    for (let index = 0; index < 60; index += 1) {
      const name = `tile-${String(batch * 60 + index).padStart(3, '0')}.png`;
      form.append('media[]', new Blob([png(index) as BlobPart], { type: 'image/png' }), name);
    }
    await admin.send('POST', '/admin/api/media', form);
  }
  await page.goto(`${LIBRARY}?q=tile-&type=image&sort=name`);
  await expect(tile(page, 'tile-000.png')).toBeVisible();
  await tile(page, 'tile-000.png').focus();
  // The end moves on with every page that arrives.
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(tile(page, 'tile-239.png')).toBeFocused({ timeout: 1000 });
  }).toPass();
  await expect(tile(page, 'tile-239.png')).toBeVisible();
  expect(await tiles(page).count()).toBeLessThan(120);
  await page.keyboard.press('Home');
  await expect(tiles(page).first()).toBeFocused();
});

test('whoever may only read is offered no more', async ({ page, admin, become }) => {
  await admin.person('rita', [{ effect: 'allow', actions: ['media.read'], resources: ['media:*'] }]);
  await admin.person('nora', [{ effect: 'allow', actions: ['content.read'], resources: ['content:*'] }]);
  await become('rita');
  await page.goto(`${LIBRARY}?file=emblem.png`);
  const side = panel(page, 'emblem.png');
  await expect(side.getByLabel('Alt text', { exact: true })).not.toBeEditable();
  await expect(page.getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await expect(side.getByRole('button', { name: /Delete|Rename|Replace|Save/ })).toHaveCount(0);
  await become('nora');
  await page.goto(LIBRARY);
  await expect(page.getByText('You need the permission “media.read”.')).toBeVisible();
});

test('the library can be used by everybody', async ({ page, admin }) => {
  await admin.upload('bare.png', png(3));
  await page.goto(`${LIBRARY}?file=two-loaves.jpg`);
  await expect(panel(page, 'two-loaves.jpg').getByText(/Used in/)).toBeVisible();
  await tile(page, 'bare.png').locator('[data-check]').click();
  await checkA11y(page);
  await page.goto(`${LIBRARY}?view=list`);
  await expect(page.getByRole('table')).toBeVisible();
  await page.getByRole('button', { name: 'Visibility of new files' }).press('Enter');
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible();
  await page.getByRole('menuitemradio', { name: 'Private' }).press('Enter');
  await checkA11y(page);
});

test.describe('without content', () => {
  test.use({ sample: false });

  test('an empty library says what to do', async ({ page }) => {
    await page.goto(LIBRARY);
    await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
    await checkA11y(page);
  });
});

test('files are picked for a field, in order, by keyboard', async ({ page, admin }) => {
  await admin.upload('notes.txt', 'Flour, water, salt.', 'text/plain');
  const gallery = { type: 'media', label: 'Gallery', multiple: true, accept: ['image/*'] };
  await admin.api('POST', 'content-types', { name: 'albums', label: 'Albums', fields: { gallery } });
  const { id } = await admin.api<{ id: string }>('POST', 'content/albums', { title: 'Summer', data: {} });
  await page.goto(`/admin/w/default/content/albums/${id}`);
  const open = page.getByRole('button', { name: /Gallery/ }).and(page.locator('[id^=field-]'));
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Choose files' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  const picks = dialog.getByRole('gridcell');
  await expect(picks.filter({ hasText: 'notes.txt' })).toHaveCount(0);

  await dialog.getByRole('searchbox').fill('dawn');
  await expect(picks).toHaveCount(1);
  await picks.first().press('Enter');
  await dialog.getByRole('searchbox').fill('');
  await expect(picks.first()).not.toContainText('hills');
  await picks.first().press('Space');
  await expect(dialog.getByRole('button', { name: 'Use 2 files' })).toBeEnabled();
  await checkA11y(page);

  await give(page, 'drop', 'brought-along.png');
  await expect(dialog.getByRole('button', { name: 'Use 3 files' })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Use 3 files' }).press('Enter');
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'brought-along.png' })).toBeVisible();
  await expect(open).toBeFocused();
});

test('a picture is described, framed and replaced where it is used', async ({ page, admin, become }) => {
  await admin.upload('stamp.png', png(31));
  const fields = {
    hero: { type: 'media', label: 'Hero', alt_field: 'hero_alt', caption_field: 'legend' },
    hero_alt: { type: 'text', label: 'Alt text here' },
    legend: { type: 'textarea', label: 'Caption' },
    cover: { type: 'media', label: 'Cover' },
  };
  await admin.api('POST', 'content-types', { name: 'albums', label: 'Albums', fields });
  const { id } = await admin.api<{ id: string }>('POST', 'content/albums', { title: 'Summer', data: { hero: ['stamp.png'], cover: ['stamp.png'] } });
  await page.goto(`/admin/w/default/content/albums/${id}`);
  const cover = page.getByRole('group', { name: 'Cover' });
  const alt = cover.getByRole('textbox', { name: 'Alt text of stamp.png' });
  await expect(alt).toHaveAttribute('placeholder', 'Describe the picture…');
  await checkA11y(page);

  // What is said of the file is stored at once, and can be taken back.
  const stored = () => admin.api<{ alt: string; decorative: boolean; focus: unknown; etag: string }>('GET', 'media/stamp.png');
  await alt.fill('A red stamp');
  await alt.press('Enter');
  await expect(cover.getByRole('button', { name: 'Edit alt text and title of stamp.png' })).toBeFocused();
  expect(await stored()).toMatchObject({ alt: 'A red stamp' });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(alt).toBeVisible();
  await cover.getByRole('checkbox', { name: /Decorative/ }).press('Space');
  await expect.poll(async () => (await stored()).decorative).toBe(true);
  await cover.getByRole('button', { name: /^Edit alt text/ }).press('Enter');
  await cover.getByRole('checkbox', { name: /Decorative/ }).press('Space');
  await alt.fill('A red stamp');
  await cover.getByRole('button', { name: 'Done' }).click();
  await expect.poll(async () => (await stored()).alt).toBe('A red stamp');

  // What the entry says of the picture stands in its card, not a second time in the form.
  const hero = page.getByRole('group', { name: 'Hero' });
  await expect(page.getByRole('textbox', { name: 'Alt text here' })).toHaveCount(1);
  await expect(hero.getByRole('textbox', { name: 'Alt text here' })).toHaveAttribute('placeholder', 'A red stamp');
  await hero.getByRole('textbox', { name: 'Alt text here' }).fill('The stamp of the album');
  await hero.getByRole('textbox', { name: 'Caption' }).fill('1912');
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(async () => (await admin.api<{ data: object }>('GET', `content/albums/${id}`)).data).toMatchObject({
    hero_alt: 'The stamp of the album',
    legend: '1912',
  });
  await hero.getByRole('button', { name: 'Remove stamp.png' }).click();
  await expect(hero.getByRole('textbox', { name: 'Caption' })).toHaveValue('1912');

  await cover.getByRole('button', { name: 'Crop and focal point of stamp.png' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Crop and focal point of stamp.png' });
  await dialog.getByRole('button', { name: /^Focal point/ }).press('Shift+ArrowRight');
  await expect.poll(async () => (await stored()).focus).toEqual([0.6, 0.5]);
  await checkA11y(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  const { etag } = await stored();
  const chosen = page.waitForEvent('filechooser');
  await cover.getByRole('button', { name: 'Actions for stamp.png' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Replace file…' }).press('Enter');
  await (await chosen).setFiles(payload('better.png', 180));
  await expect(page.getByText('stamp.png replaced')).toBeVisible();
  expect((await stored()).etag).not.toBe(etag);

  await admin.person('rita', [{ effect: 'allow', actions: ['content.*', 'media.read'], resources: ['*'] }]);
  await become('rita');
  await page.goto(`/admin/w/default/content/albums/${id}`);
  await expect(cover.getByText('A red stamp')).toBeVisible();
  await expect(cover.getByRole('button', { name: /Edit alt text|Focus/ })).toHaveCount(0);
});
