import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Dashboard } from '~/api/schema';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { TypeIcon } from '~/ui/TypeIcon';
import classes from './Dashboard.module.css';
import { Panel } from './Panel';

/** The content types with how much there is of each. */
export function TypeCards({ workspace, types }: { workspace: string; types: Dashboard['entries']['by_type'] }) {
  const can = useCan();
  const shapes = useContentTypes(workspace);
  const newOf = ({ name, label }: { name: string; label: string }) => tSingular('dashboard.newOf', shapes.find((it) => it.name === name) ?? { label });
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
                <Tooltip label={newOf(type)}>
                  <ActionIcon
                    component={Link}
                    {...(fresh as object)}
                    aria-label={newOf(type)}
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
