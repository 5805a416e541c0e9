/** Every address of the interface. Each screen is a chunk of its own, loaded when it is opened. */
import {
  createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect,
} from '@tanstack/react-router';
import { currentWorkspace } from './api/client';
import { isApiError } from './api/error';
import { queryClient } from './api/query';
import { contentTypesQuery, meQuery } from './api/session';
import { BASE } from './base';
import { loadChunk } from './fresh';
import { loadTexts, type TextGroup } from './i18n';
import { parseSearch, type Search, stringifySearch } from './search-params';
import { Shell } from './shell/Shell';
import { NotFound, Nowhere } from './ui/NotFound';
import { Loading, RouteError } from './ui/RouteStates';
import { enterWorkspace, startingWorkspace } from './workspace';

const root = createRootRoute({ component: Outlet, notFoundComponent: Nowhere });

/** A screen, and the texts that the first screens do not need: all of them, unless it names some. */
function screen(load: () => Promise<{ default: React.ComponentType }>, texts?: readonly TextGroup[]) {
  return lazyRouteComponent(async () => {
    const [module] = await loadChunk(Promise.all([load(), loadTexts(texts)]));
    return module;
  });
}

/** The texts that the screens of writers need; a test holds them to it. */
const WRITING: readonly TextGroup[] = ['writing'];

const search = { validateSearch: (given: Record<string, unknown>) => given as Search };

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  ...search,
  component: lazyRouteComponent(() => loadChunk(import('./screens/auth/Setup'))),
});

const login = createRoute({
  getParentRoute: () => root,
  path: 'login',
  ...search,
  component: lazyRouteComponent(() => loadChunk(import('./screens/auth/Login'))),
});

/** The one thing to do for whoever lacks the second factor that their role requires. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: 'second-factor',
  ...search,
  component: screen(() => import('./screens/profile/factor/Required')),
});

/** Everything that somebody has to be logged in for. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    try {
      const me = await queryClient.ensureQueryData(meQuery);
      if (me.must_set_up_second_factor) throw redirect({ to: '/second-factor', search: { to: location.href }, replace: true });
      if (!currentWorkspace()) enterWorkspace(startingWorkspace(me));
      return { me };
    } catch (error) {
      if (isApiError(error, 'not_set_up')) throw redirect({ to: '/setup', replace: true });
      if (isApiError(error, 'unauthenticated')) {
        const to = location.href === '/' ? undefined : location.href;
        throw redirect({ to: '/login', search: { to }, replace: true });
      }
      throw error;
    }
  },
  component: Shell,
});

const start = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: ({ context }) => {
    throw redirect({ to: '/w/$workspace', params: { workspace: startingWorkspace(context.me) }, replace: true });
  },
});

/** The routes of one workspace. */
const workspace = createRoute({
  getParentRoute: () => inside,
  path: 'w/$workspace',
  beforeLoad: async ({ params, preload }) => {
    // Pointing at a link is not going there.
    if (!preload) enterWorkspace(params.workspace);
    await queryClient.ensureQueryData(contentTypesQuery(params.workspace));
  },
});

const dashboard = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => loadChunk(import('./screens/dashboard/Dashboard'))),
});

const list = createRoute({
  getParentRoute: () => workspace,
  path: 'content/$type',
  ...search,
  component: screen(() => import('./screens/content/List'), WRITING),
});

/** `~new` cannot be the id of an entry. */
const entry = createRoute({
  getParentRoute: () => workspace,
  path: 'content/$type/$id',
  ...search,
  component: screen(() => import('./screens/entry/Editor'), WRITING),
});

const history = createRoute({
  getParentRoute: () => workspace,
  path: 'content/$type/$id/history',
  ...search,
  component: screen(() => import('./screens/history/History'), WRITING),
});

const changes = createRoute({
  getParentRoute: () => workspace,
  path: 'changes',
  ...search,
  component: screen(() => import('./screens/changes/Changes')),
});

/** `pending` is the own pending change. */
const change = createRoute({
  getParentRoute: () => workspace,
  path: 'changes/$change',
  ...search,
  component: screen(() => import('./screens/changes/detail/ChangeScreen')),
});

const types = createRoute({
  getParentRoute: () => workspace,
  path: 'types',
  component: screen(() => import('./screens/types/Types')),
});

const type = createRoute({
  getParentRoute: () => workspace,
  path: 'types/$type',
  ...search,
  component: screen(() => import('./screens/types/TypeEditor')),
});

const find = createRoute({
  getParentRoute: () => workspace,
  path: 'search',
  ...search,
  component: screen(() => import('./screens/search/Search')),
});

const media = createRoute({
  getParentRoute: () => workspace,
  path: 'media',
  ...search,
  component: screen(() => import('./screens/media/Media'), WRITING),
});

const trash = createRoute({
  getParentRoute: () => workspace,
  path: 'trash',
  ...search,
  component: screen(() => import('./screens/trash/Trash')),
});

const explorer = createRoute({
  getParentRoute: () => workspace,
  path: 'api',
  ...search,
  component: screen(() => import('./screens/explorer/Explorer')),
});

const imports = createRoute({
  getParentRoute: () => workspace,
  path: 'import',
  ...search,
  component: screen(() => import('./screens/import/Import')),
});

const problems = createRoute({
  getParentRoute: () => workspace,
  path: 'problems',
  component: screen(() => import('./screens/problems/Problems')),
});

const activity = createRoute({
  getParentRoute: () => workspace,
  path: 'activity',
  ...search,
  component: screen(() => import('./screens/activity/Activity')),
});

/** The routes of the whole installation. */
const system = createRoute({
  getParentRoute: () => inside,
  path: 'system',
  beforeLoad: async () => {
    await queryClient.ensureQueryData(contentTypesQuery(currentWorkspace()));
  },
});

const users = createRoute({
  getParentRoute: () => system,
  path: 'users',
  ...search,
  component: screen(() => import('./screens/users/Users')),
});

const roles = createRoute({
  getParentRoute: () => system,
  path: 'roles',
  component: screen(() => import('./screens/roles/Roles')),
});

/** `~new` makes one; a role to begin from may be named with `?from=`. */
const role = createRoute({
  getParentRoute: () => system,
  path: 'roles/$id',
  ...search,
  component: screen(() => import('./screens/roles/RoleEditor')),
});

const tokens = createRoute({
  getParentRoute: () => system,
  path: 'tokens',
  component: screen(() => import('./screens/tokens/Tokens')),
});

const webhooks = createRoute({
  getParentRoute: () => system,
  path: 'webhooks',
  ...search,
  component: screen(() => import('./screens/webhooks/Webhooks')),
});

const backups = createRoute({
  getParentRoute: () => system,
  path: 'backups',
  component: screen(() => import('./screens/backups/Backups')),
});

const workspaces = createRoute({
  getParentRoute: () => system,
  path: 'workspaces',
  component: screen(() => import('./screens/workspaces/Workspaces')),
});

const settings = createRoute({
  getParentRoute: () => system,
  path: 'settings',
  component: screen(() => import('./screens/settings/Settings')),
});

const profile = createRoute({
  getParentRoute: () => system,
  path: 'profile',
  component: screen(() => import('./screens/profile/Profile')),
});

const tree = root.addChildren([
  setup,
  login,
  secondFactor,
  inside.addChildren([
    start,
    workspace.addChildren([
      dashboard, list, entry, history, find, changes, change, types, type, media, trash, explorer, imports, problems, activity,
    ]),
    system.addChildren([users, roles, role, tokens, webhooks, backups, workspaces, settings, profile]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: `${BASE}/admin`,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: RouteError,
  defaultPendingComponent: Loading,
  defaultPendingMs: 250,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
