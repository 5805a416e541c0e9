import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { fieldLabel } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import { useEditing } from '../context';
import classes from '../Editor.module.css';

const FEW = 5;

/** The entries whose relations lead here. */
export function Usages({ id }: { id: string }) {
  const { workspace, type } = useEditing();
  const types = useContentTypes(workspace);
  const [all, setAll] = useState(false);
  const path = { collection: type.name, identifier: id };
  const query = useQuery({
    // Every change of an entry can make or end one, so it goes with all entries.
    queryKey: queryKeys.entryUsages(workspace, type.name, id, all),
    queryFn: async () =>
      await call(api.GET('/admin/api/content/{collection}/{identifier}/usages', { params: { path, query: all ? {} : { limit: FEW } } })),
    placeholderData: (before) => before,
  });
  if (query.isPending) return <Waiting quiet heights={[20]} />;
  if (query.isError) return <Text size="sm">{query.error.message}</Text>;
  const { data, meta } = query.data;
  const total = Number(meta?.total ?? data.length);
  if (data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('entry.usages.none')}
      </Text>
    );
  }
  return (
    <>
      <ul className={classes.plain}>
        {data.map((it) => {
          const shape = types.find(({ name }) => name === it.type);
          return (
            <li key={`${it.type}/${it.id}/${it.field}`}>
              <Anchor
                inherit
                renderRoot={(props) => (
                  <Link {...props} to="/w/$workspace/content/$type/$id" params={{ workspace, type: it.type, id: it.id }} />
                )}
              >
                {it.title || it.id}
              </Anchor>
              <Text size="xs" c="dimmed">
                {shape?.label ?? it.type} · {fieldLabel(it.field, shape?.fields[it.field])}
              </Text>
            </li>
          );
        })}
      </ul>
      {total > data.length && (
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setAll(true)}>
          {t('entry.usages.all', { count: total })}
        </Button>
      )}
    </>
  );
}
