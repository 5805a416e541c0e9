import { Anchor, Card, Group, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import classes from './Dashboard.module.css';

interface PanelProps {
  title: string;
  /** The link to more of it. */
  more?: { label: string; link: LinkProps };
  aside?: ReactNode;
  children: ReactNode;
}

/** A card of the dashboard. */
export function Panel({ title, more, aside, children }: PanelProps) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} className={classes.panel}>
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {aside}
        {more && (
          <Anchor component={Link} {...(more.link as object)} size="sm" className={classes.more}>
            {more.label}
          </Anchor>
        )}
      </Group>
      {children}
    </Card>
  );
}
