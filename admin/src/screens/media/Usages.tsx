import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { fieldLabel } from '~/api/fields';
import { useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { type Usages as UsagesFound, usagesQuery } from '~/media/queries';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import classes from './Media.module.css';

/** The places that use a file, as a part of its panel. */
export function Usages({ workspace, filename }: { workspace: string; filename: string }) {
  const query = useQuery(usagesQuery(workspace, filename));
  const { data } = query;
  return (
    <section>
      <Text component="h3" size="sm" fw={600} mb={4}>
        {data ? heading(data.total + data.hidden) : t('media.usages')}
      </Text>
      {query.isPending && <Waiting quiet heights={[20]} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
      {data && <UsageList workspace={workspace} {...data} />}
    </section>
  );
}

function heading(count: number): string {
  return count === 0 ? t('media.unused') : t('media.usedIn', { count });
}

/** Entries that show a file, each with the field that does. */
export function UsageList({ workspace, usages, total, hidden }: UsagesFound & { workspace: string }) {
  const types = useContentTypes(workspace);
  const beyond = Math.max(0, total - usages.length);
  return (
    <>
      <List listStyleType="none" spacing={2} className={classes.usages}>
        {usages.map((usage) => {
          const type = types.find((it) => it.name === usage.type);
          return (
            <List.Item key={`${usage.type} ${usage.id} ${usage.field}`}>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to="/w/$workspace/content/$type/$id"
                    params={{ workspace, type: usage.type, id: usage.id }}
                    {...props}
                  />
                )}
              >
                {usage.title || usage.id}
              </Anchor>
              <Text size="xs" c="dimmed">
                {type?.label ?? usage.type} · {fieldLabel(usage.field, type?.fields[usage.field])}
              </Text>
            </List.Item>
          );
        })}
      </List>
      {beyond > 0 && (
        <Text size="xs" c="dimmed">
          {t('media.usedBeyond', { count: beyond })}
        </Text>
      )}
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          {t('media.usedHidden', { count: hidden })}
        </Text>
      )}
    </>
  );
}
