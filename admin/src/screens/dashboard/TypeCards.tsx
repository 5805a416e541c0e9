import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Dashboard } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { TypeIcon } from '~/ui/TypeIcon';
import classes from './Dashboard.module.css';
import { Panel } from './Panel';

/** The content types with how much there is of each. */
export function TypeCards({ workspace, types }: { workspace: string; types: Dashboard['entries']['by_type'] }) {
  const can = useCan();
  return (
    <Panel title={t('dashboard.content')}>
      <ul className={classes.types}>
        {types.map((type) => {
          const params = { workspace, type: type.name };
          const fresh: LinkProps = { to: '/w/$workspace/content/$type/$id', params: { ...params, id: '~new' } };
          const text = (
            <>
              <span className={classes.typeIcon}>
                <TypeIcon name={type.icon} size={20} />
              </span>
              <span className={classes.rowText}>
                <span className={classes.rowTitle}>{type.label}</span>
                <Text span size="xs" c="dimmed">
                  {type.singleton ? t('dashboard.singlePage') : t('general.entries', { count: type.count })}
                </Text>
              </span>
            </>
          );
          return (
            <li key={type.name} className={classes.type}>
              {type.singleton ? (
                <Link to="/w/$workspace/content/$type/$id" params={{ ...params, id: type.name }} className={classes.typeLink}>
                  {text}
                </Link>
              ) : (
                <Link to="/w/$workspace/content/$type" params={params} className={classes.typeLink}>
                  {text}
                </Link>
              )}
              {!type.singleton && can('content.create', `content:${type.name}:*`) && (
                <Tooltip label={t('dashboard.newOf', { type: type.label })}>
                  <ActionIcon
                    component={Link}
                    {...(fresh as object)}
                    aria-label={t('dashboard.newOf', { type: type.label })}
                  >
                    <IconPlus size={18} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
