import { NavLink } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './Navigation.module.css';

interface NavigationItemProps {
  icon: ReactNode;
  label: string;
  link: LinkProps;
  /** The element at the end of the line: a number. */
  aside?: ReactNode;
}

/** A way to go. It stays marked on the pages below: an entry's below that of its list. */
export function NavigationItem({ icon, label, link, aside }: NavigationItemProps) {
  return (
    <NavLink
      component={Link}
      {...(link as object)}
      label={label}
      leftSection={icon}
      rightSection={aside}
      noWrap
      className={classes.item}
      activeProps={{ 'data-active': true, 'aria-current': 'page' }}
    />
  );
}
