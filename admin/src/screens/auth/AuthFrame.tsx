import { Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { t } from '~/i18n';
import { Wordmark } from '~/shell/Wordmark';
import classes from './AuthFrame.module.css';
import { LanguageSwitch } from './LanguageSwitch';

interface AuthFrameProps {
  title: string;
  description?: ReactNode;
  /** The element beside the form where there is room. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The page for whoever is not logged in: a form on paper, and the language in a corner. */
export function AuthFrame({ title, description, aside, children }: AuthFrameProps) {
  useEffect(() => {
    document.title = t('general.windowTitle', { page: title });
  }, [title]);
  return (
    <div className={classes.frame} data-aside={aside ? true : undefined}>
      {aside && <aside className={classes.aside}>{aside}</aside>}
      <div className={classes.side}>
        <header className={classes.bar}>
          <Wordmark />
          <LanguageSwitch />
        </header>
        <main className={classes.main}>
          <div className={classes.form}>
            <Title order={1} className={classes.title}>
              {title}
            </Title>
            {description && (
              <Text component="div" c="dimmed" mb="lg">
                {description}
              </Text>
            )}
            {children}
          </div>
        </main>
      </div>
    </div>
  );
}
