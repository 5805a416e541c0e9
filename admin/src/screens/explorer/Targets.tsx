import { NavLink, Select } from '@mantine/core';
import {
  IconBroadcast, IconBrandTypescript, IconHome, IconPackageExport, IconPhoto, IconRefresh, IconRss, IconSitemap, IconStack2, type TablerIcon,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { t } from '~/i18n';
import { TypeIcon } from '~/ui/TypeIcon';
import { COMMON, type Common, commonKey, initialState } from './model';
import classes from './explorer.module.css';

const ICONS: Readonly<Record<Common, TablerIcon>> = {
  media: IconPhoto, types: IconStack2, bundle: IconPackageExport, sync: IconRefresh, events: IconBroadcast, feeds: IconRss,
  sitemap: IconSitemap, typings: IconBrandTypescript,
};

interface TargetsProps {
  workspace: string;
  types: readonly ContentTypeShape[];
  /** The key of a target, or nothing for the overview. */
  current: string;
  onChange: (target: string) => void;
}

/** The objects of the API in this workspace. */
export function Targets({ workspace, types, current, onChange }: TargetsProps) {
  const item = (value: string, label: string, icon: React.ReactNode) => {
    const link: LinkProps = { to: '/w/$workspace/api', params: { workspace }, search: initialState(value), activeOptions: { exact: true } };
    return (
      <NavLink
        key={value}
        component={Link}
        {...(link as object)}
        label={label}
        leftSection={icon}
        active={value === current}
        aria-current={value === current ? 'page' : undefined}
        className={classes.target}
      />
    );
  };
  const groups = [
    { label: t('explorer.common'), kinds: COMMON.filter((it) => it === 'media' || it === 'types') },
    { label: t('explorer.building'), kinds: COMMON.filter((it) => it !== 'media' && it !== 'types') },
  ];
  return (
    <>
      <Select
        hiddenFrom="md"
        label={t('explorer.about')}
        value={current}
        onChange={(value) => onChange(value ?? '')}
        data={[
          { value: '', label: t('explorer.overview') },
          { group: t('explorer.content'), items: types.map((it) => ({ value: it.name, label: it.label })) },
          ...groups.map(({ label, kinds }) => ({ group: label, items: kinds.map((it) => ({ value: commonKey(it), label: t(`explorer.${it}`) })) })),
        ]}
      />
      <nav className={`${classes.targets} mantine-visible-from-md`} aria-label={t('explorer.about')}>
        {item('', t('explorer.overview'), <IconHome size={18} stroke={1.7} aria-hidden />)}
        <div className={classes.group}>{t('explorer.content')}</div>
        {types.map((it) => item(it.name, it.label, <TypeIcon name={it.icon} />))}
        {groups.map(({ label, kinds }) => (
          <Fragment key={label}>
            <div className={classes.group}>{label}</div>
            {kinds.map((it) => {
              const Icon = ICONS[it];
              return item(commonKey(it), t(`explorer.${it}`), <Icon size={18} stroke={1.7} aria-hidden />);
            })}
          </Fragment>
        ))}
      </nav>
    </>
  );
}
