import { NavLink, Select } from '@mantine/core';
import { IconHome, IconPhoto, IconStack2 } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ContentTypeShape } from '~/api/fields';
import { t } from '~/i18n';
import { TypeIcon } from '~/ui/TypeIcon';
import { initialState, MEDIA, TYPES } from './model';
import classes from './explorer.module.css';

interface TargetsProps {
  workspace: string;
  types: readonly ContentTypeShape[];
  /** The name of a type, `~media`, `~types`, or nothing for the overview. */
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
  const common = [
    { value: MEDIA, label: t('explorer.media'), icon: <IconPhoto size={18} stroke={1.7} aria-hidden /> },
    { value: TYPES, label: t('explorer.types'), icon: <IconStack2 size={18} stroke={1.7} aria-hidden /> },
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
          { group: t('explorer.common'), items: common.map(({ value, label }) => ({ value, label })) },
        ]}
      />
      <nav className={`${classes.targets} mantine-visible-from-md`} aria-label={t('explorer.about')}>
        {item('', t('explorer.overview'), <IconHome size={18} stroke={1.7} aria-hidden />)}
        <div className={classes.group}>{t('explorer.content')}</div>
        {types.map((it) => item(it.name, it.label, <TypeIcon name={it.icon} />))}
        <div className={classes.group}>{t('explorer.common')}</div>
        {common.map((it) => item(it.value, it.label, it.icon))}
      </nav>
    </>
  );
}
