/** The items of the palette beside the search results. */
import { useMantineColorScheme } from '@mantine/core';
import {
  IconArrowsExchange, IconDeviceDesktop, IconHistory, IconKeyboard, IconListSearch, IconLogout, IconMoon, IconPlus, IconSun,
} from '@tabler/icons-react';
import { type LinkProps, useRouter, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan, useContentTypes, useMe } from '~/api/session';
import { BASE } from '~/base';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { showError } from '~/ui/feedback';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import { logOut } from '../logout';
import { DASHBOARD, LIBRARY, type Place, PROFILE, STRUCTURE, SYSTEM } from '../places';
import { openShortcuts } from '../ShortcutsHelp';
import type { Named } from '~/ui/match';
import { recentPages } from './recent';

export type Group = 'recent' | 'places' | 'actions' | 'entries' | 'media' | 'all';

/** Something that can be gone to or done. */
export interface Item extends Named {
  id: string;
  group: Group;
  icon: ReactNode;
  /** The kind of the item, or its place. */
  hint?: string;
  run: () => void;
}

/** Goes to a link, as an item does it. */
export function useOpenLink(): (link: LinkProps) => void {
  const router = useRouter();
  return (link) => void router.navigate(link as Parameters<typeof router.navigate>[0]);
}

/** Pages that were looked at before, without the one that one is on. */
export function useRecentItems(): Item[] {
  const router = useRouter();
  const here = useRouterState({ select: (state) => state.location.pathname });
  return recentPages()
    .filter((it) => it.path !== here)
    .map(({ title, path }) => ({
      id: `recent:${path}`,
      group: 'recent',
      label: title,
      icon: <IconHistory size={18} stroke={1.7} aria-hidden />,
      run: () => router.history.push(`${BASE}/admin${path}`),
    }));
}

/** The screens and the content types that the user may see. */
export function usePlaceItems(): Item[] {
  const workspace = useWorkspace();
  const can = useCan();
  const go = useOpenLink();
  const types = useContentTypes(workspace);
  const open = ({ needs }: Place) => !needs || can(...needs);
  return [
    ...types.map(
      (type): Item => ({
        id: `type:${type.name}`,
        group: 'places',
        label: type.label,
        keywords: type.name,
        hint: t(type.singleton ? 'palette.singlePage' : 'palette.list'),
        icon: <TypeIcon name={type.icon} />,
        run: () =>
          go(
            type.singleton
              ? { to: '/w/$workspace/content/$type/$id', params: { workspace, type: type.name, id: type.name } }
              : { to: '/w/$workspace/content/$type', params: { workspace, type: type.name } },
          ),
      }),
    ),
    ...[DASHBOARD, ...LIBRARY, ...STRUCTURE, ...SYSTEM, PROFILE].filter(open).map(
      (place): Item => ({
        id: place.label,
        group: 'places',
        label: t(place.label),
        icon: <place.icon size={18} stroke={1.7} aria-hidden />,
        run: () => go(place.link(workspace)),
      }),
    ),
  ];
}

/** The way to the screen that shows all results of a search. */
export function useAllResultsItem(query: string): Item {
  const workspace = useWorkspace();
  const go = useOpenLink();
  const q = query.trim();
  return {
    id: 'all',
    group: 'all',
    label: t('palette.all', { query: q }),
    icon: <IconListSearch size={18} stroke={1.7} aria-hidden />,
    run: () => go({ to: '/w/$workspace/search', params: { workspace }, search: { q } }),
  };
}

/** Returns the actions that are available everywhere. */
export function useActionItems(): Item[] {
  const workspace = useWorkspace();
  const me = useMe();
  const can = useCan();
  const go = useOpenLink();
  const { history } = useRouter();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const types = useContentTypes(workspace).filter((it) => !it.singleton && can('content.create', `content:${it.name}:*`));
  const schemes = [
    ['light', IconSun],
    ['dark', IconMoon],
    ['auto', IconDeviceDesktop],
  ] as const;
  return [
    ...types.map(
      (type): Item => ({
        id: `new:${type.name}`,
        group: 'actions',
        label: tSingular('palette.newIn', type),
        keywords: `${t('general.create')} ${t('palette.createWords')} ${type.label} ${type.name}`,
        icon: <IconPlus size={18} stroke={1.7} aria-hidden />,
        run: () => go({ to: '/w/$workspace/content/$type/$id', params: { workspace, type: type.name, id: '~new' } }),
      }),
    ),
    ...me.workspaces
      .filter((it) => !it.archived && it.slug !== workspace)
      .map(
        (it): Item => ({
          id: `workspace:${it.slug}`,
          group: 'actions',
          label: t('palette.toWorkspace', { name: it.label }),
          keywords: it.slug,
          icon: <IconArrowsExchange size={18} stroke={1.7} aria-hidden />,
          run: () => go({ to: '/w/$workspace', params: { workspace: it.slug } }),
        }),
      ),
    ...schemes
      .filter(([scheme]) => scheme !== colorScheme)
      .map(
        ([scheme, Icon]): Item => ({
          id: `scheme:${scheme}`,
          group: 'actions',
          label: t('palette.appearance', { scheme: t(`shell.theme.${scheme}`) }),
          icon: <Icon size={18} stroke={1.7} aria-hidden />,
          run: () => setColorScheme(scheme),
        }),
      ),
    {
      id: 'shortcuts',
      group: 'actions',
      label: t('shell.shortcuts'),
      icon: <IconKeyboard size={18} stroke={1.7} aria-hidden />,
      run: openShortcuts,
    },
    {
      id: 'logout',
      group: 'actions',
      label: t('shell.logOut'),
      icon: <IconLogout size={18} stroke={1.7} aria-hidden />,
      run: () => void logOut(history).catch(showError),
    },
  ];
}
