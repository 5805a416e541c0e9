import { checkA11y, expect, test } from './harness';

interface Entry {
  id: string;
  title: string;
  status: string;
}

/** A file that is chosen in the page. */
function file(name: string, text: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}

const WXR = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Old blog</title><wp:wxr_version>1.2</wp:wxr_version>
<item><title>Carding wool</title><wp:post_id>7</wp:post_id><wp:post_name>carding-wool</wp:post_name>
<wp:post_date_gmt>2024-03-01 10:00:00</wp:post_date_gmt><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
<content:encoded><![CDATA[<p>Slowly.</p>]]></content:encoded></item>
</channel></rss>`;

test('a table is mapped, looked at, and imported', async ({ page, admin }) => {
  await page.goto('/admin/w/default/types');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import' })).toBeVisible();
  await checkA11y(page);
  const preview = page.getByRole('button', { name: 'Preview import' });
  await expect(preview).toBeDisabled();
  await page.locator('input[type=file]').setInputFiles(file('topics.csv', 'Heading;About;Colour\nWool;"Soft; warm";#aa3300\nFelt;;#0033aa\n'));
  await page.getByRole('combobox', { name: /^Content type/ }).click();
  await page.getByRole('option', { name: 'Topics' }).click();
  // What has the name of a field goes there by itself; the rest is for the person to say.
  const field = (column: string) => page.getByRole('combobox', { name: `Field for the column ${column}` });
  await expect(field('Heading')).toHaveValue('Don’t import');
  await expect(page.getByRole('cell', { name: 'Soft; warm' })).toBeVisible();
  await field('Heading').click();
  await page.getByRole('option', { name: /\(title\)$/ }).click();
  await field('About').click();
  await page.getByRole('option', { name: /\(description\)$/ }).click();
  await page.getByRole('combobox', { name: 'Status of new entries' }).click();
  await page.getByRole('option', { name: 'Published' }).click();
  await checkA11y(page);
  await preview.click();

  await expect(page.getByRole('heading', { name: 'What the import changes' })).toBeFocused();
  await expect(page.getByRole('row', { name: /^Topics/ }).getByRole('cell').first()).toHaveText('2');
  expect(await admin.api<Entry[]>('GET', 'content/topics?q=wool')).toHaveLength(0);
  await checkA11y(page);
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeFocused();
  const [wool] = await admin.api<Entry[]>('GET', 'content/topics?q=wool');
  expect(wool).toMatchObject({ title: 'Wool', status: 'published' });
  await checkA11y(page);
  await page.getByRole('row', { name: /^Topics/ }).getByRole('link').click();
  await expect(page.getByRole('link', { name: 'Felt' })).toBeVisible();
});

test('the same table again changes nothing, and one with problems is refused whole', async ({ page, admin }) => {
  await page.goto('/admin/w/default/import?type=topics');
  const input = page.locator('input[type=file]');
  await input.setInputFiles(file('topics.json', JSON.stringify([{ title: 'Wool', status: 'published' }, { title: '' }, { title: 'Felt', status: 'odd' }])));
  await page.getByRole('button', { name: 'Preview import' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('2 problems in the source');
  await expect(alert).toContainText('Change the fields of the columns, or fix the file');
  await expect(alert).toContainText('topics.json, row 2, title');
  await expect(alert).toContainText('topics.json, row 3, status');
  await checkA11y(page);
  expect(await admin.api<Entry[]>('GET', 'content/topics?q=wool')).toHaveLength(0);

  await page.getByRole('button', { name: 'Choose another file' }).click();
  await expect(alert).toHaveCount(0);
  await input.setInputFiles(file('topics.json', JSON.stringify([{ title: 'Wool' }])));
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByText('The content is in the workspace.')).toBeVisible();
  await page.getByRole('button', { name: 'Import another file' }).click();
  await input.setInputFiles(file('topics.json', JSON.stringify([{ title: 'Wool' }])));
  await page.getByRole('button', { name: 'Preview import' }).click();
  await expect(page.getByText('Everything is already in the workspace.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import now' })).toHaveCount(0);
});

test.describe('in an empty workspace', () => {
  test.use({ sample: false });

  test('a WordPress export brings its content types along', async ({ page, admin }) => {
    await page.goto('/admin/w/default/types');
    await page.getByRole('main').getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByRole('radio', { name: 'WordPress' }).check();
    await page.locator('input[type=file]').setInputFiles(file('rows.csv', 'a,b'));
    await expect(page.getByRole('alert')).toContainText('This file doesn’t fit the source.');
    await page.locator('input[type=file]').setInputFiles(file('wordpress.xml', WXR));
    await page.getByRole('button', { name: 'Preview import' }).click();
    await expect(page.getByRole('heading', { name: 'New content types' })).toBeVisible();
    await checkA11y(page);
    await page.getByRole('button', { name: 'Import now' }).click();
    await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible();
    const [post] = await admin.api<Entry[]>('GET', 'content/posts');
    expect(post).toMatchObject({ title: 'Carding wool', status: 'published' });
  });
});

test('an import is made by keyboard', async ({ page, admin }) => {
  // Asked for early: the browser tells of choosers only once it has been told to, and a key arrives sooner than that.
  const chooser = page.waitForEvent('filechooser');
  await page.goto('/admin/w/default/import?type=topics');
  await page.getByRole('radio', { name: 'Table' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'WordPress' })).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(file('topics.ndjson', '{"title":"Silk"}\n'));
  const preview = page.getByRole('button', { name: 'Preview import' });
  // While the file is read, the button takes no focus.
  await expect(preview).toBeEnabled();
  await preview.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'What the import changes' })).toBeFocused();
  await page.getByRole('button', { name: 'Import now' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeFocused();
  expect(await admin.api<Entry[]>('GET', 'content/topics?q=silk')).toHaveLength(1);
});

test('an upload can be given up', async ({ page }) => {
  await page.route('**/admin/api/imports?dry_run=1', async () => {
    // Never answered: it ends when the page gives up.
  });
  await page.goto('/admin/w/default/import?type=topics');
  await page.locator('input[type=file]').setInputFiles(file('topics.csv', 'title\nWool\n'));
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Preview import' })).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('those who can’t publish everything import nothing', async ({ page, admin, become }) => {
  await admin.person('kim', [{ effect: 'allow', actions: ['content.read', 'content.create'], resources: ['*'] }]);
  await become('kim');
  await page.goto('/admin/w/default/import');
  await expect(page.getByText('You need the permission “content.publish”.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Import', exact: true })).toHaveCount(0);
});
