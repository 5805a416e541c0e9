import { Alert, Anchor, SimpleGrid, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { fieldLabel } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import type { Feed } from '~/api/schema';
import { useApp } from '~/api/session';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { ROOT, type TypeDraft } from '../draft/draft';
import { FEED_FIELDS, firstFeed, lackOf, OWN_TIMES, pageAddress, setFeed } from '../draft/feed';
import classes from '../types.module.css';

type FieldPart = keyof typeof FEED_FIELDS;

/** The feeds of the type and its part of the sitemap: the pages of its entries on a site. */
export function FeedSettings() {
  const { draft, change, defects } = useBuilder();
  // What was set up comes back when the switch is flipped by mistake.
  const [earlier, setEarlier] = useState(draft.feed);
  const toggle = (on: boolean) => {
    setEarlier(draft.feed);
    change((it) => ({ ...it, feed: on ? (earlier ?? firstFeed(it)) : null }));
  };
  return (
    <section className={classes.panel} aria-label={t('types.feed')}>
      <Title order={2} size="h4">
        {t('types.feed')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('types.feedAbout')}
      </Text>
      <Switch
        label={t('types.feed.switch')}
        checked={draft.feed !== null}
        onChange={(event) => toggle(event.currentTarget.checked)}
        error={draft.feed ? undefined : defectOf(defects, ROOT, 'feed')}
      />
      {draft.feed && <FeedForm feed={draft.feed} />}
    </section>
  );
}

function FeedForm({ feed }: { feed: Feed }) {
  const { draft, change, defects } = useBuilder();
  const lack = lackOf(draft, feed.url);
  return (
    <Stack gap="sm" mt="md">
      <TextInput
        label={t('types.feed.url')}
        description={t('types.feed.urlHint')}
        value={feed.url}
        onChange={(event) => {
          const url = event.currentTarget.value;
          change((it) => setFeed(it, 'url', url));
        }}
        placeholder="https://example.org/{slug}"
        error={defectOf(defects, ROOT, 'feed.url')}
        classNames={{ input: classes.mono }}
        inputMode="url"
        required
      />
      {lack && (
        <Alert color="amber" p="xs" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t(`types.feed.lacks.${lack}`)}
        </Alert>
      )}
      <Example feed={feed} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" className={classes.bottoms}>
        {(Object.keys(FEED_FIELDS) as FieldPart[]).map((part) => (
          <FieldChoice key={part} part={part} feed={feed} />
        ))}
      </SimpleGrid>
      <Addresses />
    </Stack>
  );
}

/** The choice of the field that a part of the feed shows. */
function FieldChoice({ part, feed }: { part: FieldPart; feed: Feed }) {
  const { draft, change, defects } = useBuilder();
  const value = feed[part] ?? '';
  const data = choicesOf(draft, part);
  const known = data.some((it) => it.value === value);
  return (
    <Select
      label={t(`types.feed.${part}`)}
      description={t(`types.feed.${part}Hint`)}
      data={known ? data : [...data, { value, label: value }]}
      value={value}
      onChange={(name) => change((it) => setFeed(it, part, name ?? ''))}
      allowDeselect={false}
      error={defectOf(defects, ROOT, `feed.${part}`)}
    />
  );
}

function choicesOf(draft: TypeDraft, part: FieldPart): { value: string; label: string }[] {
  const kinds = FEED_FIELDS[part];
  const fitting = draft.fields.filter((it) => kinds.includes(it.definition.type) && !(part === 'title' && it.key === 'title'));
  const fields = fitting.map((it) => ({ value: it.key, label: fieldLabel(it.key, it.definition) }));
  if (part === 'title') return [{ value: '', label: t('types.feed.ownTitle') }, ...fields];
  if (part !== 'date') return [{ value: '', label: t('types.feed.none') }, ...fields];
  const [first, ...others] = OWN_TIMES;
  const times = others.map((it) => ({ value: it as string, label: t(`types.feed.${it}`) }));
  return [{ value: '', label: t(`types.feed.${first}`) }, ...fields, ...times];
}

/** The address that comes of the template, for an entry that there is. */
function Example({ feed }: { feed: Feed }) {
  const { workspace, draft, isNew } = useBuilder();
  const { data: entry } = useQuery({
    queryKey: queryKeys.feedExample(workspace, draft.name),
    queryFn: async () => {
      const params = { path: { collection: draft.name }, query: { limit: 1, 'filter[status]': 'published' } };
      return (await call(api.GET('/admin/api/content/{collection}', { params }))).data[0] ?? null;
    },
    enabled: !isNew,
  });
  if (!/^https?:\/\/./.test(feed.url)) return null;
  const address = pageAddress(draft, feed.url, entry ?? { id: '01k4g6ckw0z7b0f2', slug: t('types.feed.exampleSlug') });
  return (
    <Text size="sm" className={classes.wrapped}>
      {t('types.feed.example')}{' '}
      {entry ? (
        <Anchor href={address} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
          {address}
        </Anchor>
      ) : (
        <span className={classes.mono}>{address}</span>
      )}
    </Text>
  );
}

/** The addresses of the feeds and the sitemap: links once they are there. */
function Addresses() {
  const { workspace, draft, saved } = useBuilder();
  const origin = useApp()?.base_url ?? '';
  const root = `${origin}/api/v1/workspaces/${workspace}`;
  const addresses = [
    ['Atom', `${root}/feeds/${draft.name}/atom.xml`],
    ['JSON Feed', `${root}/feeds/${draft.name}/feed.json`],
    [t('types.feed.sitemap'), `${root}/sitemap.xml`],
  ] as const;
  const isThere = saved.feed !== null && saved.visibility === 'public';
  const note = draft.visibility === 'private' ? 'types.feed.private' : isThere ? 'types.feed.there' : 'types.feed.afterSave';
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('types.feed.addresses')}
      </Text>
      <Text size="xs" c="dimmed">
        {t(note)}
      </Text>
      {draft.visibility === 'public' && draft.name !== '' && (
        <dl className={classes.addresses}>
          {addresses.map(([label, address]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {isThere ? (
                  <Anchor href={address} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
                    {address}
                  </Anchor>
                ) : (
                  <span>{address}</span>
                )}
                <CopyButton value={address} label={t('types.feed.copy', { name: label })} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
