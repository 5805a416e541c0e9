import { Group } from '@mantine/core';
import { Fragment } from 'react';
import { useApp } from '~/api/session';
import { formatLimit, type Key, t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { Section } from './Section';
import classes from './Settings.module.css';

const LIMITS: readonly (readonly [string, Key])[] = [
  ['form_bytes_max', 'settings.about.form'],
  ['json_bytes_max', 'settings.about.json'],
  ['backup_bytes_max', 'settings.about.backup'],
  ['avatar_bytes_max', 'settings.about.avatar'],
];

/** The version of the program, its place, and its limits. */
export function About() {
  const app = useApp();
  if (!app) return null;
  return (
    <Section title={t('settings.about')}>
      <dl className={classes.facts}>
        <dt>{t('settings.about.version')}</dt>
        <dd>
          {app.name} {app.version}
        </dd>
        <dt>{t('settings.about.address')}</dt>
        <dd>
          <Group gap={4} wrap="nowrap">
            {app.base_url}
            <CopyButton value={app.base_url} label={t('settings.about.copyAddress')} />
          </Group>
        </dd>
        {LIMITS.map(([name, label]) => {
          const bytes = app.limits[name];
          return bytes ? (
            <Fragment key={name}>
              <dt>{t(label)}</dt>
              <dd>{formatLimit(bytes)}</dd>
            </Fragment>
          ) : null;
        })}
      </dl>
    </Section>
  );
}
