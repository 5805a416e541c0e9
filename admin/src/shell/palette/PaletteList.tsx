import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { t } from '~/i18n';
import type { Item } from './items';
import { Marked } from '~/ui/Marked';
import classes from './Palette.module.css';

interface PaletteListProps {
  id: string;
  items: readonly Item[];
  /** The place of the item that Enter takes. */
  active: number;
  query: string;
  onActive: (at: number) => void;
  onRun: (item: Item) => void;
}

/** The offered items, in groups; the input keeps the focus. */
export function PaletteList({ id, items, active, query, onActive, onRun }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const option = list.current?.querySelector('[aria-selected=true]');
    // The first one of all brings its heading along.
    if (active === 0) list.current?.scrollTo({ top: 0 });
    else option?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const groups = [...new Set(items.map((it) => it.group))];
  return (
    <div ref={list} id={id} role="listbox" aria-label={t('palette.results')} className={classes.list} hidden={items.length === 0}>
      {groups.map((group) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className={classes.group} role="presentation">
            {t(`palette.group.${group}`)}
          </div>
          {items.map((item, at) =>
            item.group === group ? (
              <div
                key={item.id}
                id={`${id}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                className={classes.option}
                onMouseMove={() => at !== active && onActive(at)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onRun(item)}
                onKeyDown={(event) => event.key === 'Enter' && onRun(item)}
              >
                <span className={classes.icon}>{item.icon}</span>
                <span className={classes.label}>
                  <Marked text={item.label} query={query} />
                </span>
                {item.hint && (
                  <Text span size="xs" c="dimmed" className={classes.hint}>
                    {item.hint}
                  </Text>
                )}
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}
