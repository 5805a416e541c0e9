import { Anchor, Button, Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { changeQuery } from '~/api/changes/queries';
import type { ContentTypeShape } from '~/api/fields';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { changeLink } from '~/links';
import type { Search } from '~/search-params';
import { Announce } from '~/ui/Announce';
import { useWorkspace } from '~/workspace';
import { compareEntries, countChanges, localesOf } from './compare';
import { FieldChange } from './FieldChange';
import classes from './History.module.css';
import { useRestore } from './useRestore';
import { VersionSelect } from './VersionSelect';
import { CURRENT, type Version } from './versions';

interface ComparisonProps {
  type: ContentTypeShape;
  versions: readonly Version[];
  pair: { from: Version; to: Version };
  /** The language asked for. */
  locale: string | undefined;
  /** True if fields that are the same show as well. */
  all: boolean;
  onAsk: (search: Search) => void;
}

/** Two versions beside each other, field by field. */
export function Comparison({ type, versions, pair, locale, all, onAsk }: ComparisonProps) {
  const { from, to } = pair;
  const workspace = useWorkspace();
  const can = useCan();
  const current = versions[0]?.entry ?? to.entry;
  const restore = useRestore(type, current);
  const locales = localesOf(type);
  const counts = countChanges(type, from.entry, to.entry);
  // Without a choice, the first language that has something to show.
  const shown = (locale !== undefined && locales.includes(locale) ? locale : locales.find((it) => counts[it])) ?? locales[0] ?? '';
  const rows = compareEntries(type, shown, from.entry, to.entry);
  const changed = rows.filter((it) => !it.same);
  const mayRestore = can('content.revisions.restore', `content:${type.name}:*`);
  const side = (which: 'from' | 'to', version: Version) => (
    <div>
      <VersionSelect
        label={t(which === 'from' ? 'revisions.before' : 'revisions.after')}
        versions={versions}
        value={version.id}
        onChange={(id) => onAsk({ from: from.id, to: to.id, [which]: id })}
      />
      {version.change !== null && <ReleaseLink id={version.change} />}
      {mayRestore && version.id !== CURRENT && (
        <Button
          variant="default"
          size="xs"
          mt={6}
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          loading={restore.pending === version.id}
          onClick={() => restore.whole(version)}
        >
          {t('revisions.restore')}
        </Button>
      )}
    </div>
  );
  return (
    <section aria-label={t('revisions.comparison')} className={classes.comparison}>
      <div className={classes.sides}>
        {side('from', from)}
        {side('to', to)}
      </div>
      <Group justify="space-between" mt="md" mb="sm">
        <Text size="sm" c="dimmed">
          {t('revisions.changedFields', { count: changed.length })}
        </Text>
        <Switch
          size="sm"
          label={t('revisions.onlyChanged')}
          checked={!all}
          onChange={(event) => onAsk({ all: event.currentTarget.checked ? undefined : '1' })}
        />
      </Group>
      {locales.length > 1 && (
        <SegmentedControl
          aria-label={t('revisions.locales')}
          value={shown}
          onChange={(value) => onAsk({ locale: value })}
          mb="md"
          data={locales.map((value) => ({ value, label: <LocaleTab locale={value} changes={counts[value] ?? 0} /> }))}
        />
      )}
      {(all ? rows : changed).map((row) => (
        <FieldChange
          key={`${shown}/${row.name}`}
          type={type}
          row={row}
          context={{ workspace, type: type.name, id: current.id, locale: shown }}
          current={current}
          onRestore={(value) => restore.field(shown, row.name, value)}
        />
      ))}
      {changed.length === 0 && !all && (
        <Text c="dimmed" py="lg" ta="center">
          {t(locales.length > 1 ? 'revisions.sameLocale' : 'revisions.same')}
        </Text>
      )}
      <Announce text={t('revisions.changedFields', { count: changed.length })} />
    </section>
  );
}

/** Leads to the release with which a version was published. */
function ReleaseLink({ id }: { id: string }) {
  const workspace = useWorkspace();
  const change = useQuery(changeQuery(workspace, id)).data;
  if (!change) return null;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} {...changeLink(workspace, change.id)} />} className={classes.change}>
      {change.label ? t('revisions.inChange', { change: change.label }) : t('changes.open')}
    </Anchor>
  );
}

/** A language, and how much differs in it. */
function LocaleTab({ locale, changes }: { locale: string; changes: number }) {
  return (
    <>
      {locale.toUpperCase()}
      {changes > 0 && (
        <>
          <span className={classes.count} aria-hidden="true">
            {changes}
          </span>
          <span className="visually-hidden">, {t('revisions.changedFields', { count: changes })}</span>
        </>
      )}
    </>
  );
}
