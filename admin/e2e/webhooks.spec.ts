import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Admin, checkA11y, expect, test as base } from './harness';

/** Somebody who is told: answers as it is told to, and remembers what came. */
interface Receiver {
  url: string;
  status: number;
  came: { event: string; signature: string }[];
}

const test = base.extend<{ receiver: Receiver }>({
  // The runner wants a pattern here, be it empty.
  receiver: async ({}, use) => {
    const receiver: Receiver = { url: '', status: 200, came: [] };
    const server: HttpServer = createServer((request, response) => {
      let text = '';
      request.on('data', (bytes) => (text += bytes));
      request.on('end', () => {
        receiver.came.push({ event: JSON.parse(text).event, signature: String(request.headers['webhook-signature']) });
        response.writeHead(receiver.status).end('noted');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    await use(receiver);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});
test.use({ serve: ['--webhooks-allow-private'] });

const put = (admin: Admin, ...webhooks: Record<string, unknown>[]) =>
  admin.api<{ webhooks: { id: string; name: string; url: string; events: string[] }[] }>('PUT', 'webhooks', { webhooks });

test('a webhook is made, tested, told, and looked after', async ({ page, admin, receiver }) => {
  await page.goto('/admin/system/webhooks');
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await page.getByRole('link', { name: 'New webhook' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Site');
  await drawer.getByLabel('URL').fill(receiver.url);
  // What is told is chosen, not assumed: nothing is ticked.
  await expect(drawer.getByRole('checkbox', { name: 'Content', exact: true })).not.toBeChecked();
  for (const name of ['Content', 'Content types']) await drawer.getByRole('checkbox', { name, exact: true }).check();
  await drawer.getByRole('button', { name: 'Create' }).click();

  await expect(drawer.getByTestId('secret')).toHaveText(/^whsec_/);
  const [hook] = (await admin.api<{ webhooks: { events: string[] }[] }>('GET', 'webhooks')).webhooks;
  expect(hook?.events).toEqual(['content.*', 'schema.*']);

  await drawer.getByRole('tab', { name: 'Deliveries' }).click();
  await expect(drawer.getByText('No deliveries yet')).toBeVisible();
  await drawer.getByRole('button', { name: 'Send test' }).click();
  await expect(drawer.getByText('Test delivered', { exact: true })).toBeVisible();
  expect(receiver.came.at(-1)).toMatchObject({ event: 'webhook.test', signature: expect.stringMatching(/^v1,/) });

  // What is told meanwhile shows by itself.
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  const attempt = drawer.locator('details', { hasText: 'Created' });
  await expect(attempt).toBeVisible();
  await attempt.locator('summary').click();
  await expect(attempt.getByRole('region', { name: 'Request' })).toContainText('"title": "Wool"');
  await expect(attempt.getByRole('region', { name: 'Response' })).toHaveText('noted');
  await attempt.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => receiver.came.filter((it) => it.event === 'content.created').length).toBe(2);
  await drawer.getByText('Failed', { exact: true }).click();
  await expect(drawer.getByText('None of these attempts failed.')).toBeVisible();
  await expect(page).toHaveURL(/failed=1/);
});

test('what does not arrive is told, and why', async ({ page, admin, receiver }) => {
  receiver.status = 500;
  await put(admin, { name: 'Index', url: receiver.url, events: ['*'] }, { name: 'Other', url: receiver.url, events: ['media.*'] });
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  const { webhooks } = await admin.api<{ webhooks: { id: string }[] }>('GET', 'webhooks');
  // It is open before the dialogs that calls open are loaded, so the key that closes it comes to it first.
  await page.goto(`/admin/system/webhooks?hook=${webhooks[0]?.id}`);
  const row = page.getByRole('row', { name: /Index/, includeHidden: true });
  await expect(row.getByText('Failing')).toBeVisible();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Send test' }).click();
  await expect(drawer.getByText('The receiver refused the test')).toBeVisible();
  await expect(drawer.getByText('Retrying · 500').first()).toBeVisible();

  await drawer.getByRole('tab', { name: 'Settings' }).click();
  await drawer.getByLabel('URL').fill('ftp://example.org');
  await drawer.getByRole('button', { name: 'Save' }).click();
  const address = drawer.getByLabel('URL');
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expect(address).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await row.getByRole('button', { name: 'Actions for Index' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'New webhook' })).toBeFocused();
  const left = await admin.api<{ webhooks: { name: string; events: string[] }[] }>('GET', 'webhooks');
  expect(left.webhooks).toMatchObject([{ name: 'Other', events: ['media.*'] }]);
});

test('what somebody else changed meanwhile stays', async ({ page, admin, receiver }) => {
  const { webhooks } = await put(admin, { name: 'Mine', url: receiver.url, events: ['*'] });
  await page.goto(`/admin/system/webhooks?hook=${webhooks[0]?.id}&tab=settings`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Still mine');
  await put(admin, ...webhooks, { name: 'Theirs', url: receiver.url, events: ['schema.created'] });
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('dialog').getByText('Still mine').first()).toBeVisible();
  const list = (await admin.api<{ webhooks: { name: string }[] }>('GET', 'webhooks')).webhooks;
  expect(list.map((it) => it.name)).toEqual(['Still mine', 'Theirs']);
});

test('events are gathered, and signed with a secret of one’s own', async ({ page, admin, receiver }) => {
  const { webhooks } = await put(admin, { name: 'Build', url: receiver.url, events: ['content.*'] });
  await page.goto(`/admin/system/webhooks?hook=${webhooks[0]?.id}&tab=settings`);
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Bundle events for (seconds)').fill('1');
  const secret = drawer.getByLabel('Custom signing secret');
  await secret.fill('too short');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('A secret has 16 to 256 characters', { exact: false })).toBeVisible();
  await secret.fill('not too short any more');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(secret).toHaveValue('');
  const [hook] = (await admin.api<{ webhooks: { debounce_seconds: number }[] }>('GET', 'webhooks')).webhooks;
  expect(hook?.debounce_seconds).toBe(1);
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  await admin.api('POST', 'content/topics', { title: 'Straw' });
  await expect.poll(() => receiver.came.map((it) => it.event)).toContain('webhook.batch');
  expect(receiver.came.map((it) => it.event)).not.toContain('content.created');
  await drawer.getByRole('tab', { name: 'Deliveries' }).click();
  await expect(drawer.getByText('Several events').first()).toBeVisible();
});

test('a published change is one message', async ({ page, admin, receiver }) => {
  const { webhooks } = await put(admin, { name: 'Site', url: receiver.url, events: ['content.*'] });
  await page.goto(`/admin/system/webhooks?hook=${webhooks[0]?.id}&tab=settings`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('group', { name: 'Releases' }).getByRole('checkbox', { name: 'Release published' }).check();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await admin.api<{ webhooks: { events: string[] }[] }>('GET', 'webhooks')).webhooks[0]?.events).toEqual([
    'content.*', 'change.published',
  ]);
  const change = await admin.api<{ id: string }>('POST', 'changes', { label: 'Spring' });
  for (const title of ['Wool', 'Straw', 'Clay']) await admin.api('POST', `content/topics?change=${change.id}`, { title });
  await admin.api('POST', `changes/${change.id}/publish`);
  await drawer.getByRole('tab', { name: 'Deliveries' }).click();
  const attempt = drawer.locator('details', { hasText: 'Release published' });
  await attempt.locator('summary').click();
  const sent = attempt.getByRole('region', { name: 'Request' });
  await expect(sent).toContainText('"label": "Spring"');
  await expect(sent).toContainText('"truncated": false');
  expect(receiver.came.map((it) => it.event)).toEqual(['change.published']);
});

test('all of it goes by keyboard', async ({ page, admin, receiver }) => {
  await put(admin, { name: 'Site', url: receiver.url, events: ['*'] });
  await page.goto('/admin/system/webhooks');
  await page.getByRole('link', { name: 'Site', exact: true }).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  // The drawer takes the focus for itself when it opens.
  await expect(async () => {
    await drawer.getByRole('tab', { name: 'Deliveries' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(drawer.getByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true', { timeout: 1000 });
  }).toPass();
  await drawer.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' map');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Site map', exact: true })).toBeFocused();
  await page.getByRole('switch', { name: 'Turn on Site map' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('row', { name: /Site map/ }).getByText('Off', { exact: true })).toBeVisible();
});

test('those without the right are told which it is', async ({ page, admin, become }) => {
  await admin.person('otto', [{ effect: 'allow', actions: ['content.read'], resources: ['content:*'] }]);
  await become('otto');
  await page.goto('/admin/system/webhooks');
  await expect(page.getByText('You need the permission “webhooks.manage”.')).toBeVisible();
});

test('everybody can use it', async ({ page, admin, receiver }) => {
  receiver.status = 500;
  const { webhooks } = await put(admin, { name: 'Index', url: receiver.url, events: ['*'] }, { name: 'Off', url: receiver.url, events: ['media.*'], enabled: false });
  await admin.api('POST', 'content/topics', { title: 'Wool' });
  await page.goto('/admin/system/webhooks');
  await expect(page.getByText('Failing')).toBeVisible();
  await checkA11y(page);
  await page.goto(`/admin/system/webhooks?hook=${webhooks[0]?.id}`);
  await page.locator('summary').first().click();
  await expect(page.getByRole('region', { name: 'Request' })).toBeVisible();
  await checkA11y(page);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'New signing secret' }).click();
  await page.getByRole('dialog', { name: 'Create a new signing secret?' }).getByRole('button', { name: 'New signing secret' }).click();
  await expect(page.getByTestId('secret')).toBeVisible();
  await checkA11y(page);
});
