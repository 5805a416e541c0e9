/**
 * A list of very many entries stays usable. In CI there are 2,000; `RECTO_LARGE=1` makes them 100,000
 * and the run tells how long things took. Nothing here fails for being slow.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { writeLargeFolder } from './large-folder.mjs';

const ENTRIES = process.env.RECTO_LARGE ? 100_000 : 2000;
const TURNS = process.env.RECTO_LARGE ? 5 : 1;

test.use({ sample: false });

test('a long list opens, sorts, filters, pages and searches', async ({ page, admin, server }) => {
  test.setTimeout(process.env.RECTO_LARGE ? 900_000 : 60_000);
  // What is written while nobody looks is there from the start.
  await server.stop();
  writeLargeFolder(server.folder, ENTRIES);
  await server.start();
  await admin.logIn();
  await admin.lend(page.context());

  const list = '/admin/w/default/content/articles';
  await page.goto(list);
  await expect(page.getByText(`1–50 of ${ENTRIES.toLocaleString('en')}`)).toBeVisible();

  const took: Record<string, number[]> = {};
  for (let turn = 0; turn < TURNS; turn += 1) {
    await page.getByRole('link', { name: 'Authors' }).click();
    await expect(page.getByText('1–25 of 25')).toBeVisible();
    note(took, 'open', await timed(page, () => page.getByRole('link', { name: 'Articles' }).click()));
    note(took, 'sort', await timed(page, () => page.getByRole('button', { name: 'Title', exact: true }).click()));
    note(took, 'page', await timed(page, () => page.getByRole('button', { name: 'Last page' }).click()));
    note(took, 'status', await timed(page, () => page.getByRole('button', { name: /^Draft/ }).click()));
    note(took, 'search', await timed(page, () => page.getByRole('searchbox').pressSequentially('lantern', { delay: 40 })));
    await expect(page.getByRole('searchbox')).toHaveValue('lantern');
    await expect(page).toHaveURL(/q=lantern/);
  }
  for (const [what, times] of Object.entries(took)) console.log(`${what}: ${median(times)} ms of ${ENTRIES} entries`);
});

test('a page of a thousand rows draws those in sight', async ({ page, admin, server }) => {
  await server.stop();
  writeLargeFolder(server.folder, 1500);
  await server.start();
  await admin.logIn();
  await admin.lend(page.context());
  await page.goto('/admin/w/default/content/articles?limit=1000&sort=id');
  await expect(page.getByText('1–1,000 of 1,500')).toBeVisible();
  const rows = page.locator('tr[data-row]');
  await expect(rows.first()).toHaveAttribute('data-row', 'a000000');
  expect(await rows.count()).toBeLessThan(120);
  // Rows that are measured on the way make the page longer: the end moves.
  await expect(async () => {
    await page.getByRole('button', { name: 'Next page' }).scrollIntoViewIfNeeded();
    await expect(page.locator('tr[data-row=a000999]')).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await rows.count()).toBeLessThan(120);
  // What is done with very many is asked first, in the words of what was pressed.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('region', { name: 'Selected entries' }).getByRole('button', { name: 'Publish' }).click();
  const question = page.getByRole('dialog', { name: 'Publish 1,000 entries?' });
  await expect(question.getByRole('button', { name: 'Publish', exact: true })).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
});

/** From the last thing that the user did to the frame in which other rows are painted, in milliseconds. */
async function timed(page: Page, act: () => Promise<void>): Promise<number> {
  const painted = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const first = () => document.querySelector<HTMLElement>('tr[data-row]')?.dataset.row;
        const before = first();
        let start = performance.now();
        const acted = () => {
          start = performance.now();
        };
        for (const name of ['pointerdown', 'keydown']) window.addEventListener(name, acted, true);
        const look = () => {
          const row = first();
          if (row === undefined || row === before || document.querySelector('table[aria-busy=true]')) return requestAnimationFrame(look);
          for (const name of ['pointerdown', 'keydown']) window.removeEventListener(name, acted, true);
          return requestAnimationFrame(() => resolve(performance.now() - start));
        };
        requestAnimationFrame(look);
      }),
  );
  await act();
  return painted;
}

function note(took: Record<string, number[]>, what: string, time: number): void {
  (took[what] ??= []).push(time);
}

function median(times: readonly number[]): number {
  return Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);
}
