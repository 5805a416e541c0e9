import { Badge } from '@mantine/core';
import { IconArrowsUpDown, IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FieldValue } from '~/fields/FieldValue';
import { t } from '~/i18n';
import { MediaThumb } from '~/media/MediaThumb';
import classes from './diff.module.css';
import { diffList, type ListChange } from './lists';
import type { ValueDiffProps } from './types';

const LOOKS = {
  added: ['green', IconPlus],
  removed: ['red', IconMinus],
  moved: ['gray', IconArrowsUpDown],
} as const;

/** The badge that names the change of an item. */
export function ChangeBadge({ kind }: { kind: keyof typeof LOOKS }) {
  const [color, Icon] = LOOKS[kind];
  return (
    <Badge color={color} leftSection={<Icon size={12} aria-hidden />} className={classes.badge}>
      {t(`revisions.diff.${kind}`)}
    </Badge>
  );
}

interface ItemsProps {
  before: readonly unknown[];
  after: readonly unknown[];
  render: (item: unknown) => ReactNode;
  /** The layout of the items. */
  layout: 'tiles' | 'rows';
}

/** Items that are known by what they are: files, entries, options. */
function ItemsDiff({ before, after, render, layout }: ItemsProps) {
  const changes = diffList(before, after, (item) => String(item));
  return (
    <ul className={classes.items} data-layout={layout}>
      {changes.map((change) => (
        <li key={`${change.kind}${'is' in change ? change.is : `-${change.was}`}`} className={classes.item} data-kind={change.kind}>
          {render(itemOf(change))}
          {(change.kind === 'added' || change.kind === 'removed' || change.kind === 'moved') && <ChangeBadge kind={change.kind} />}
        </li>
      ))}
    </ul>
  );
}

/** Files with their pictures. */
export function MediaDiff({ workspace, before, after }: { workspace: string; before: readonly unknown[]; after: readonly unknown[] }) {
  const render = (item: unknown) => (
    <span className={classes.media}>
      <MediaThumb workspace={workspace} filename={String(item)} size={96} alt="" />
      <span className={classes.filename}>{String(item)}</span>
    </span>
  );
  return <ItemsDiff before={before} after={after} render={render} layout="tiles" />;
}

/** Entries that are related, options that are chosen. */
export function ChoicesDiff({ definition, context, before, after }: ValueDiffProps & { before: readonly unknown[]; after: readonly unknown[] }) {
  const render = (item: unknown) => <FieldValue definition={definition} value={[item]} context={context} />;
  return <ItemsDiff before={before} after={after} render={render} layout="rows" />;
}

function itemOf(change: ListChange): unknown {
  return change.kind === 'removed' ? change.before : change.after;
}
