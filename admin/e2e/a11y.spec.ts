/** Accessibility of every address: none is forgotten, whatever other tests look at. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkA11y, expect, ROOT_ADMIN, test } from './harness';

/** An address of each route that stands for a screen; the login and the setup have tests of their own. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'content/$type': 'w/default/content/posts',
  'content/$type/$id': 'w/default/content/posts/01k8dgcxw03f14ch',
  'content/$type/$id/history': 'w/default/content/posts/01k8dgcxw03f14ch/history',
  changes: 'w/default/changes',
  'changes/$change': 'w/default/changes/pending',
  types: 'w/default/types',
  'types/$type': 'w/default/types/posts',
  media: 'w/default/media',
  trash: 'w/default/trash',
  api: 'w/default/api',
  import: 'w/default/import',
  problems: 'w/default/problems',
  activity: 'w/default/activity',
  search: 'w/default/search',
  users: 'system/users',
  roles: 'system/roles',
  'roles/$id': 'system/roles/~new',
  tokens: 'system/tokens',
  webhooks: 'system/webhooks',
  backups: 'system/backups',
  workspaces: 'system/workspaces',
  settings: 'system/settings',
  profile: 'system/profile',
};
const NO_SCREENS = ['setup', 'login', 'second-factor', '/', 'w/$workspace', 'system'];

test('every address is looked at', () => {
  const router = readFileSync(join(ROOT_ADMIN, 'src/router.tsx'), 'utf8');
  const paths = [...router.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path);
  expect(paths.filter((it) => !NO_SCREENS.includes(it) && !(it in ADDRESSES))).toEqual([]);
});

// Side by side, and on few servers.
const PARTS = 4;
for (let part = 0; part < PARTS; part++) {
  const addresses = ['w/default', ...Object.values(ADDRESSES)].filter((_, at) => at % PARTS === part);
  test(`${addresses.join(', ')}: keep to the rules`, async ({ page }) => {
    for (const address of addresses) {
      await test.step(address, async () => {
        await page.goto(`/admin/${address}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('.mantine-Skeleton-root[data-visible]')).toHaveCount(0);
        await checkA11y(page, { thorough: true });
      });
    }
  });
}
