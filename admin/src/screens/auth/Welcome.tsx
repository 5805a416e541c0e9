import { List, Text, ThemeIcon } from '@mantine/core';
import { IconApi, IconFolder, IconShieldLock, type TablerIcon } from '@tabler/icons-react';
import { type Key, t } from '~/i18n';
import { PageArt } from './PageArt';
import classes from './Welcome.module.css';

const POINTS: readonly (readonly [TablerIcon, Key, Key])[] = [
  [IconFolder, 'auth.welcome.files', 'auth.welcome.filesHint'],
  [IconApi, 'auth.welcome.api', 'auth.welcome.apiHint'],
  [IconShieldLock, 'auth.welcome.own', 'auth.welcome.ownHint'],
];

/** The introduction for somebody who sees the product for the first time. */
export function Welcome() {
  return (
    <div className={classes.welcome}>
      <PageArt className={classes.art} />
      <Text className={classes.claim}>{t('auth.welcome')}</Text>
      <List listStyleType="none" spacing="lg" center={false}>
        {POINTS.map(([Icon, title, hint]) => (
          <List.Item
            key={title}
            icon={
              <ThemeIcon variant="light" size={34} radius="md" mt={2}>
                <Icon size={19} stroke={1.7} aria-hidden />
              </ThemeIcon>
            }
          >
            <Text fw={600}>{t(title)}</Text>
            <Text size="sm" c="dimmed">
              {t(hint)}
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
