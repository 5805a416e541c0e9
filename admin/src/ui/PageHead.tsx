import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { t } from '~/i18n';
import classes from './PageHead.module.css';

interface PageHeadProps {
  title: string;
  /** A line of explanation, or the state of what is shown. */
  description?: ReactNode;
  /** The element beside the title: a chip, say. */
  aside?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
  /** The page that this one belongs to. */
  back?: { label: string; to: LinkProps };
  /** Keeps the head in sight while the page scrolls. */
  sticky?: boolean;
  /** A notice below all of it, which stays in sight with the head. */
  notice?: ReactNode;
}

/** The head of a page: its only `h1`, which is also the title of the window. */
export function PageHead({ title, description, aside, actions, back, sticky, notice }: PageHeadProps) {
  useEffect(() => {
    document.title = t('general.windowTitle', { page: title });
  }, [title]);
  return (
    <header className={classes.head} data-sticky={sticky || undefined}>
      <div className={classes.text}>
        {back && (
          <Anchor component={Link} {...(back.to as object)} size="sm" className={classes.back}>
            <IconChevronLeft size={14} aria-hidden /> {back.label}
          </Anchor>
        )}
        <Group gap="4px var(--mantine-spacing-sm)" align="center">
          <Title order={1} className={classes.title} dir="auto" title={title}>
            {title}
          </Title>
          {aside && <div className={classes.aside}>{aside}</div>}
        </Group>
        {description && (
          <Text component="div" c="dimmed" size="sm" mt={2}>
            {description}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs" className={classes.actions}>{actions}</Group>}
      {notice}
    </header>
  );
}
