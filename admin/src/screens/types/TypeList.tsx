import { Anchor, Badge, Code, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import { moveKeys, Sortable, useSortableItem } from './Sortable';
import { TypeMenu } from './TypeMenu';
import classes from './types.module.css';

interface TypeListProps {
  caption: string;
  types: readonly ContentTypeShape[];
  onReorder: (names: readonly string[]) => void;
}

/** Content types of one sort, to be opened and brought into order. */
export function TypeList({ caption, types, onReorder }: TypeListProps) {
  const can = useCan();
  const [said, setSaid] = useState('');
  const names = types.map((it) => it.name);
  const label = (name: string) => types.find((it) => it.name === name)?.label ?? name;
  const move = (name: string, to: number) => {
    if (to < 0 || to >= names.length) return;
    onReorder(names.filter((it) => it !== name).toSpliced(to, 0, name));
    setSaid(t('types.drag.end', { name: label(name), place: to + 1 }));
  };
  const fixed = !can('schema.update', 'schema:*') || types.length < 2;
  return (
    <>
      <Sortable ids={names} labelOf={label} onMove={move}>
        <ol className={classes.list} aria-label={caption}>
          {types.map((type, index) => (
            <TypeRow key={type.name} type={type} index={index} fixed={fixed} onMove={(to) => move(type.name, to)} />
          ))}
        </ol>
      </Sortable>
      <Announce text={said} />
    </>
  );
}

interface TypeRowProps {
  type: ContentTypeShape;
  index: number;
  fixed: boolean;
  onMove: (to: number) => void;
}

function TypeRow({ type, index, fixed, onMove }: TypeRowProps) {
  const workspace = useWorkspace();
  const { name, label, icon, singleton, visibility, locales, entries } = type;
  const keys = fixed ? undefined : moveKeys(index, onMove);
  const { item, handle } = useSortableItem(name, label, fixed, keys);
  const fields = Object.keys(type.fields).length;
  return (
    <li {...item} className={`${classes.row} ${classes.type}`}>
      {handle}
      <span className={classes.kind}>
        <TypeIcon name={icon} />
      </span>
      <span className={classes.names}>
        <Anchor
          component={Link}
          to="/w/$workspace/types/$type"
          params={{ workspace, type: name } as never}
          fw={600}
          size="sm"
          c="var(--mantine-color-text)"
          className={classes.title}
          onKeyDown={keys}
          aria-keyshortcuts={fixed ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
        >
          {label}
        </Anchor>
        <Code className={classes.key}>{name}</Code>
      </span>
      <span className={classes.facts}>
        {visibility === 'private' && <Badge color="violet">{t('types.private')}</Badge>}
        {locales.length > 0 && (
          <Badge color="gray" aria-label={t('types.inLocales', { locales: locales.join(', ') })}>
            {locales.join(' · ')}
          </Badge>
        )}
        <Text component="span" size="sm" c="dimmed" className={classes.fact}>
          {t('types.fieldCount', { count: fields })}
        </Text>
        {!singleton && (
          <Anchor
            component={Link}
            to="/w/$workspace/content/$type"
            params={{ workspace, type: name } as never}
            size="sm"
            className={classes.fact}
          >
            {t('general.entries', { count: entries })}
          </Anchor>
        )}
      </span>
      <TypeMenu name={name} label={label} singleton={singleton} edit />
    </li>
  );
}
