import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import type { Insertion } from '../catalogue';
import classes from '../insert.module.css';
import { LIST_ID, optionId } from './ids';
import type { Slash } from './slashState';

interface SlashListProps {
  slash: Slash;
  onActive: (at: number) => void;
  onChoose: (insertion: Insertion) => void;
}

/** The insertions to choose from; a line parts the groups while nothing is typed. */
export function SlashList({ slash: { items, active, query }, onActive, onChoose }: SlashListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active === 0) list.current?.scrollTo({ top: 0 });
    else list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <>
      <div
        ref={list}
        id={LIST_ID}
        role="listbox"
        aria-label={t('fields.insert.title')}
        className={classes.list}
        // What scrolls has to be known as reachable; the text keeps the focus all the same.
        tabIndex={0}
        onMouseDown={(event) => event.preventDefault()}
      >
        {items.map((item, at) => (
          <Option key={item.id} item={item} at={at} active={at === active} starts={query === '' && items[at - 1]?.group !== item.group} onActive={onActive} onChoose={onChoose} />
        ))}
      </div>
      {items.length === 0 && (
        <Text size="sm" c="dimmed" className={classes.nothing}>
          {t('fields.insert.nothing')}
        </Text>
      )}
      <Announce text={items.length === 0 ? t('fields.insert.nothing') : t('fields.insert.count', { count: items.length })} />
    </>
  );
}

interface OptionProps {
  item: Insertion;
  at: number;
  active: boolean;
  /** True if a group begins with it. */
  starts: boolean;
  onActive: (at: number) => void;
  onChoose: (insertion: Insertion) => void;
}

function Option({ item, at, active, starts, onActive, onChoose }: OptionProps) {
  const { icon: Icon } = item;
  return (
    <div
      id={optionId(at)}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={classes.option}
      data-starts={(starts && at > 0) || undefined}
      onMouseMove={() => !active && onActive(at)}
      onClick={() => onChoose(item)}
      onKeyDown={(event) => event.key === 'Enter' && onChoose(item)}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      <span>{t(item.label)}</span>
    </div>
  );
}
