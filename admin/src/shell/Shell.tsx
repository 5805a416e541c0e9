import { ActionIcon, Burger, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { closeEvents, openEvents, useServerEvents } from '~/api/events';
import { queryKeys } from '~/api/keys';
import { meQuery, useApp, usePreferences } from '~/api/session';
import { markProposalsStale, markStale, markStaleEverywhere, noteGone } from '~/api/stale';
import { preferredLanguage, t } from '~/i18n';
import { switchClock, switchLanguage } from '~/i18n/switch';
import { UploadTray } from '~/media/UploadTray';
import { later, useCalm } from '~/ui/later';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { useWorkspace } from '~/workspace';
import { Navigation } from './Navigation';
import { NetworkBanner } from './NetworkBanner';
import { Palette } from './Palette';
import { openPalette } from './palette/open';
import { SessionExpired } from './SessionExpired';
import classes from './Shell.module.css';
import { useShortcutsKey } from './ShortcutsHelp';
import { useFocusOnArrival } from './useFocusOnArrival';
import { Wordmark } from './Wordmark';

type DrawerProps = Parameters<typeof import('./NavigationDrawer').NavigationDrawer>[0];
const NavigationDrawer = later<DrawerProps>(() => import('./overlays').then((it) => it.NavigationDrawer));

/** The frame around every screen: navigation, palette, and what has to be told wherever one is. */
export function Shell() {
  const [opened, drawer] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { close } = drawer;
  const hasDrawer = useCalm(opened);
  useEffect(close, [path, close]);
  useLiveData();
  useStoredLanguage();
  useDensity();
  useGoKeys();
  useShortcutsKey();
  useFocusOnArrival();
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('shell.skip')}
      </a>
      <header className={`${classes.head} ${classes.narrow}`}>
        <Burger
          opened={opened}
          onClick={drawer.toggle}
          size="sm"
          aria-label={t('shell.navigation')}
          aria-expanded={opened}
        />
        <Wordmark />
        <ActionIcon ms="auto" size="lg" onClick={openPalette} aria-label={t('shell.search')}>
          <IconSearch size={20} aria-hidden />
        </ActionIcon>
      </header>
      <nav className={`${classes.navbar} ${classes.wide}`}>
        <Navigation />
      </nav>
      {hasDrawer && (
        <NavigationDrawer opened={opened} onClose={close}>
          <Navigation onClose={close} />
        </NavigationDrawer>
      )}
      <main id="content" tabIndex={-1} className={classes.main}>
        <NetworkBanner />
        <div className={classes.page}>
          <Outlet />
        </div>
        <Footer />
      </main>
      <Palette />
      <SessionExpired />
      <UploadTray />
    </div>
  );
}

/** The version of the program: the first thing that anybody who helps asks for. */
function Footer() {
  const app = useApp();
  return (
    <Text component="footer" size="xs" c="dimmed" className={classes.footer}>
      {app ? `${app.name} ${app.version}` : 'Recto'}
    </Text>
  );
}

/** Keeps what is shown true: whatever the server says has changed is fetched anew. */
function useLiveData(): void {
  useEffect(() => {
    openEvents();
    return closeEvents;
  }, []);
  useServerEvents(({ event, workspace, data }) => {
    if (event === 'reset') markStale(queryKeys.everything);
    const [kind] = event.split('.');
    if (!workspace) {
      // What is wrong with a file of the whole system is told in every workspace.
      if (kind === 'problem') for (const key of [queryKeys.problems, queryKeys.dashboard]) markStaleEverywhere(key);
      return;
    }
    // What a change differs in, and whether it can be published, depends on what is live.
    if (kind === 'change' || kind === 'content' || kind === 'schema') markStale(queryKeys.changes(workspace));
    if (kind === 'change') {
      // What it makes live is told entry by entry; what it proposes is shown in the editor.
      markProposalsStale(workspace, String(data.change));
      markStale(queryKeys.dashboard(workspace));
    } else if (kind === 'content') {
      noteGone(workspace, String(data.type), String(data.id), event === 'content.deleted' || event === 'content.purged');
      markStale(queryKeys.entries(workspace, String(data.type)));
      markStale(queryKeys.types(workspace));
      markStale(queryKeys.trash(workspace));
      markStale(queryKeys.dashboard(workspace));
    } else if (kind === 'media') {
      markStale(queryKeys.media(workspace));
      markStale(queryKeys.dashboard(workspace));
    } else if (kind === 'schema') {
      markStale(queryKeys.types(workspace));
      markStale(queryKeys.allEntries(workspace));
      markStale(queryKeys.dashboard(workspace));
    } else if (kind === 'problem') {
      markStale(queryKeys.problems(workspace));
      markStale(queryKeys.dashboard(workspace));
    }
  });
}

/** The language and the clock that the user chose, also on another machine. */
function useStoredLanguage(): void {
  const { language, clock } = usePreferences();
  useQuery(meQuery);
  useEffect(() => switchClock(clock), [clock]);
  useEffect(() => {
    void switchLanguage(language ?? preferredLanguage());
  }, [language]);
}

/** Tells the style sheets the density of rows. */
function useDensity(): void {
  const { density = 'comfortable' } = usePreferences();
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}

function useGoKeys(): void {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { letterShortcuts = true } = usePreferences();
  const params = { workspace };
  useLetterShortcuts(
    {
      'g d': () => navigate({ to: '/w/$workspace', params }),
      'g m': () => navigate({ to: '/w/$workspace/media', params }),
      'g t': () => navigate({ to: '/w/$workspace/types', params }),
      'g x': () => navigate({ to: '/w/$workspace/trash', params }),
      'g c': () => navigate({ to: '/w/$workspace/changes', params }),
      'g a': () => navigate({ to: '/w/$workspace/activity', params }),
      'g u': () => navigate({ to: '/system/users' }),
      'g s': () => navigate({ to: '/system/settings' }),
      'g p': () => navigate({ to: '/system/profile' }),
    },
    letterShortcuts,
  );
}
