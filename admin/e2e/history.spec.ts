import { type Admin, checkA11y, expect, test } from './harness';

interface Entry {
  id: string;
  title: string;
  data: Record<string, unknown>;
  translations: Record<string, { title: string | null; data: Record<string, unknown> }>;
}

/** An entry that was changed three times. */
async function changed(admin: Admin): Promise<string> {
  const body = 'One line.\n\nA line that stays.\n\nAnother one.';
  const { id } = await admin.api<Entry>('POST', 'content/posts', {
    title: 'The old bench', locale: 'en', data: { excerpt: 'A bench.', category: '01jndj0mt09kzt19', body, tags: ['essay'], gallery: ['hills-at-dawn.jpg'], reading_minutes: 2 },
    translations: { de: { title: 'Die alte Bank', data: { body: 'Ein Satz.' } } },
  });
  await admin.api('PATCH', `content/posts/${id}`, { title: 'The new bench', locale: 'en', data: { reading_minutes: 3 } });
  await admin.api('PATCH', `content/posts/${id}`, { translations: { de: { data: { body: 'Ein neuer Satz.' } } } });
  await admin.api('PATCH', `content/posts/${id}`, {
    locale: 'en',
    data: {
      body: body.replace('One line.', 'One new line.'), tags: ['essay', 'how-to'], gallery: [],
      faq: [{ question: 'Why?', answer: 'It was rotten.' }], seo: { title: 'Bench' },
    },
  });
  return id;
}

test('tells what changed, field by field', async ({ page, admin }) => {
  const id = await changed(admin);
  await page.goto(`/admin/w/default/content/posts/${id}/history`);
  const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('button');
  await expect(versions).toHaveCount(4);
  await expect(versions.first()).toHaveAttribute('aria-current', 'true');
  await expect(versions.first()).toContainText('anna');

  const text = page.getByRole('region', { name: 'Text' });
  await expect(text.getByRole('row', { name: /removed One line/ })).toBeVisible();
  await expect(text.locator('ins')).toHaveText(/new/);
  await expect(page.getByRole('region', { name: 'Gallery' }).getByRole('listitem')).toContainText('hills-at-dawn.jpg');
  await expect(page.getByRole('region', { name: 'Questions' })).toContainText('It was rotten.');
  await expect(page.getByRole('region', { name: 'Title' })).toHaveCount(0);
  await checkA11y(page);

  // The change before was in German only.
  await versions.nth(1).click();
  await expect(page.getByRole('radio', { name: /DE/ })).toBeChecked();
  await expect(page.getByRole('region', { name: 'Text' }).locator('ins')).toContainText('neuer');
});

test('compares any two', async ({ page, admin }) => {
  const id = await changed(admin);
  await page.goto(`/admin/w/default/content/posts/${id}/history`);
  await page.getByRole('combobox', { name: 'Before' }).click();
  await page.getByRole('option').last().click();
  await page.getByRole('combobox', { name: 'After' }).click();
  await page.getByRole('option', { name: /Current version/ }).click();
  await expect(page.getByRole('region', { name: 'Title' }).locator('del')).toContainText('old');
  await page.getByLabel('Changes only').click();
  await expect(page.getByRole('region', { name: 'Slug' })).toContainText('unchanged');
});

test('brings back a single value', async ({ page, admin }) => {
  const id = await changed(admin);
  await page.goto(`/admin/w/default/content/posts/${id}/history`);
  await page.getByRole('button', { name: 'Use earlier value: Gallery' }).press('Enter');
  await expect(page.getByText('Earlier value of “Gallery” restored')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Versions' }).getByRole('button')).toHaveCount(5);
  const entry = await admin.api<Entry>('GET', `content/posts/${id}?locale=en`);
  expect(entry.data.gallery).toEqual(['hills-at-dawn.jpg']);
  expect(entry.data.body).toContain('One new line.');
  await page.getByRole('button', { name: 'Open entry' }).click();
  await expect(page).toHaveURL(new RegExp(`/content/posts/${id}$`));
});

test('brings back a whole version', async ({ page, admin }) => {
  const id = await changed(admin);
  await page.goto(`/admin/w/default/content/posts/${id}/history`);
  const oldest = page.getByRole('navigation', { name: 'Versions' }).getByRole('button').last();
  await oldest.click();
  await expect(oldest).toHaveAttribute('aria-current', 'true');
  await page.getByRole('button', { name: 'Restore this version' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Restore this version?' });
  await checkA11y(page);
  await dialog.getByRole('button', { name: 'Restore this version' }).press('Enter');
  await expect(page.getByText(/Version of .* restored/)).toBeVisible();
  await expect(page.getByText('earlier version restored', { exact: false })).toBeVisible();
  const entry = await admin.api<Entry>('GET', `content/posts/${id}?locale=en`);
  expect(entry.title).toBe('The old bench');
  expect(entry.translations.de?.data.body).toBe('Ein Satz.');
});

test.describe('a file that is gone', () => {
  // Its small picture is asked for all the same.
  test.use({ expectedComplaints: [/status of 404/] });

  test('is told when a version that shows it is restored', async ({ page, admin }) => {
    const id = await changed(admin);
    await admin.api('DELETE', 'media/hills-at-dawn.jpg');
    await page.goto(`/admin/w/default/content/posts/${id}/history`);
    const oldest = page.getByRole('navigation', { name: 'Versions' }).getByRole('button').last();
    await oldest.click();
    await expect(oldest).toHaveAttribute('aria-current', 'true');
    await page.getByRole('button', { name: 'Restore this version' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).press('Enter');
    await expect(page.getByText('hills-at-dawn.jpg: This media file no longer exists.')).toBeVisible();
  });
});

test('does not overwrite what changed meanwhile', async ({ page, admin }) => {
  const id = await changed(admin);
  // Without events the page does not get to know of the change by itself.
  await page.route('**/admin/api/events*', (route) => route.fulfill({ status: 204 }));
  await page.goto(`/admin/w/default/content/posts/${id}/history`);
  await expect(page.getByRole('region', { name: 'Gallery' })).toBeVisible();
  await admin.api('PATCH', `content/posts/${id}`, { title: 'Changed meanwhile', locale: 'en' });
  await page.getByRole('button', { name: 'Use earlier value: Gallery' }).click();
  await expect(page.getByText('Someone has just changed this entry.', { exact: false })).toBeVisible();
});

test('says when there is nothing to compare', async ({ page, admin }) => {
  const { id } = await admin.api<Entry>('POST', 'content/notes', { title: 'Just written' });
  await page.goto(`/admin/w/default/content/notes/${id}/history`);
  await expect(page.getByRole('heading', { name: 'No earlier versions yet' })).toBeVisible();
  await checkA11y(page);
});

test('is for those who may read it, and restored by those who may', async ({ page, admin, become }) => {
  const id = await changed(admin);
  const read = ['content.read', 'content.revisions.read'];
  await admin.person('lea', [{ effect: 'allow', actions: read, resources: ['content:posts:*'] }]);
  await admin.person('mia', [{ effect: 'allow', actions: ['content.read'], resources: ['content:posts:*'] }]);
  await become('lea');
  await page.goto(`/admin/w/default/content/posts/${id}/history`);
  await expect(page.getByRole('region', { name: 'Gallery' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Restore this version|take the/ })).toHaveCount(0);
  await become('mia');
  await page.goto(`/admin/w/default/content/posts/${id}/history`);
  await expect(page.getByText('content.revisions.read')).toBeVisible();
});
