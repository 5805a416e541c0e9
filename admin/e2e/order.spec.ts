/** Entries that are put in order by hand: with the keyboard, with the mouse, and only where that means something. */
import type { Page } from '@playwright/test';
import { type Admin, checkA11y, dragListens, expect, interceptRequests, PASSWORD, test } from './harness';

const STEPS = '/admin/w/default/content/steps';

async function given(admin: Admin, numbers: readonly (number | null)[]): Promise<void> {
  await admin.api('POST', 'content-types', {
    name: 'steps',
    label: 'Steps',
    fields: { title: { type: 'text' }, order: { type: 'number', label: 'Order' } },
  });
  for (const [index, order] of numbers.entries()) await admin.api('POST', 'content/steps', { title: `Step ${index + 1}`, order });
}

const rows = (page: Page) => page.locator('tr[data-row]');
const titles = (page: Page) => rows(page).locator('[data-row-link]');
const handle = (page: Page, title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true });

async function stored(admin: Admin): Promise<Record<string, unknown>> {
  const entries = await admin.api<{ title: string; data: { order?: number | null } }[]>('GET', 'content/steps?sort=title');
  return Object.fromEntries(entries.map((it) => [it.title, it.data.order ?? null]));
}

test('the order is changed with the keyboard, and that taken back', async ({ page, admin }) => {
  await given(admin, [10, 20, 30]);
  await page.goto(`${STEPS}?sort=order`);
  await expect(titles(page)).toHaveText(['Step 1', 'Step 2', 'Step 3']);
  await checkA11y(page);

  // By the handle: taken with Space, moved with arrows, put down with Space.
  await handle(page, 'Step 3').press('Space');
  await expect(page.getByText('Step 3 is at position 3 of 3.')).toBeAttached();
  await dragListens(page);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Step 3 is at position 2 of 3.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(titles(page)).toHaveText(['Step 1', 'Step 3', 'Step 2']);
  await expect.poll(() => stored(admin)).toEqual({ 'Step 1': 10, 'Step 2': 20, 'Step 3': 15 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(titles(page)).toHaveText(['Step 1', 'Step 2', 'Step 3']);
  await expect.poll(() => stored(admin)).toEqual({ 'Step 1': 10, 'Step 2': 20, 'Step 3': 30 });

  // By the row: Alt with the arrow keys.
  await titles(page).first().focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(titles(page)).toHaveText(['Step 2', 'Step 1', 'Step 3']);
  await expect(titles(page).nth(1)).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(titles(page)).toHaveText(['Step 2', 'Step 3', 'Step 1']);
  await expect(page.getByText('Step 1 is now at position 3 of 3.')).toBeAttached();
  await expect.poll(() => stored(admin)).toEqual({ 'Step 1': 31, 'Step 2': 20, 'Step 3': 30 });
  await page.reload();
  await expect(titles(page)).toHaveText(['Step 2', 'Step 3', 'Step 1']);
});

test('an order that is taken back shows, also when its news come before its answer', async ({ page, admin }) => {
  await given(admin, [10, 20, 30]);
  await page.goto(`${STEPS}?sort=order`);
  await titles(page).first().focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(titles(page)).toHaveText(['Step 2', 'Step 1', 'Step 3']);
  await expect.poll(() => stored(admin)).not.toEqual({ 'Step 1': 10, 'Step 2': 20, 'Step 3': 30 });
  await interceptRequests(page, /\/admin\/api\/content\/steps\/[^/?]+/, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    const news = page.waitForResponse(async (it) => {
      if (!it.url().includes('/admin/api/content/steps?')) return false;
      const { data } = (await it.json()) as { data: { title: string }[] };
      return data[0]?.title === 'Step 1';
    });
    const response = await route.fetch();
    await news;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(titles(page)).toHaveText(['Step 1', 'Step 2', 'Step 3']);
});

test('rows are dragged, also those that had no number', async ({ page, admin }) => {
  await given(admin, [1, 2, null]);
  await page.goto(`${STEPS}?sort=order`);
  await expect(titles(page)).toHaveText(['Step 1', 'Step 2', 'Step 3']);
  const [from, to] = [await handle(page, 'Step 3').boundingBox(), await handle(page, 'Step 1').boundingBox()];
  if (!from || !to) throw new Error('The rows have no handles.');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  // A move counts once the rows are measured, which the page does after the first one.
  await expect(async () => {
    await page.mouse.move(to.x + 8, to.y + 20);
    await page.mouse.move(to.x + 8, to.y + 4);
    await expect(page.getByText('Step 3 is at position 1 of 3.')).toBeAttached({ timeout: 500 });
  }).toPass();
  await page.mouse.up();
  await expect(titles(page)).toHaveText(['Step 3', 'Step 1', 'Step 2']);
  await expect.poll(() => stored(admin)).toEqual({ 'Step 1': 1, 'Step 2': 2, 'Step 3': 0 });
  await expect(page.getByRole('button', { name: 'Order changed' })).toHaveCount(0);
});

test('there is no order to change where the list is another one', async ({ page, admin, another }) => {
  await given(admin, [1, 2]);
  for (const search of ['', '?sort=-order', '?sort=title', '?sort=order&q=step', '?sort=order&filter[status]=draft']) {
    await page.goto(STEPS + search);
    await expect(rows(page)).toHaveCount(2);
    await expect(page.getByRole('button', { name: /^Move Step/ })).toHaveCount(0);
  }
  await admin.api('POST', 'users', { username: 'vera', display_name: 'Vera', password: PASSWORD, role: 'viewer' });
  const vera = await another('vera');
  await vera.goto(`${STEPS}?sort=order`);
  await expect(rows(vera)).toHaveCount(2);
  await expect(vera.getByRole('button', { name: /^Move Step/ })).toHaveCount(0);
});
