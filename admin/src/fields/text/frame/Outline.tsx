import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconListTree } from '@tabler/icons-react';
import type { EditorView } from '@codemirror/view';
import { useEffect, useState } from 'react';
import { t } from '~/i18n';
import classes from './frame.module.css';
import { type Heading, headingAt } from './headings';

interface OutlineProps {
  headings: readonly Heading[];
  onJump: (heading: Heading, index: number) => void;
}

/** The headings of a text as a list beside it; the one above the caret is marked. */
export function OutlineList({ headings, onJump, view }: OutlineProps & { view: EditorView | null }) {
  const current = headingAt(headings, useCaret(view));
  const top = topLevel(headings);
  return (
    <nav className={classes.outline} aria-label={t('fields.writing.outline')}>
      <div className={classes.outlineTitle} aria-hidden>
        {t('fields.writing.outline')}
      </div>
      {headings.length === 0 && <p className={classes.none}>{t('fields.writing.noHeadings')}</p>}
      <ul>
        {headings.map((heading, index) => (
          <li key={heading.from}>
            <button
              type="button"
              className={classes.heading}
              data-level={heading.level - top}
              aria-current={index === current || undefined}
              onClick={() => onJump(heading, index)}
            >
              {heading.text || t('general.untitled')}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The headings of a text in a menu. */
export function OutlineMenu({ headings, onJump }: OutlineProps) {
  const top = topLevel(headings);
  return (
    <Menu position="bottom-end" width={280} returnFocus={false}>
      <Menu.Target>
        <Tooltip label={t('fields.writing.outline')}>
          <ActionIcon aria-label={t('fields.writing.outline')} className={classes.outlineButton}>
            <IconListTree size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('fields.writing.outline')} className={classes.outlineMenu}>
        {headings.length === 0 && <Menu.Label>{t('fields.writing.noHeadings')}</Menu.Label>}
        {headings.map((heading, index) => (
          <Menu.Item key={heading.from} className={classes.item} data-level={heading.level - top} onClick={() => onJump(heading, index)}>
            {heading.text || t('general.untitled')}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function topLevel(headings: readonly Heading[]): number {
  return Math.min(...headings.map((it) => it.level));
}

/** The place of the caret; the browser tells of it a moment before the editor knows. */
function useCaret(view: EditorView | null): number {
  const [caret, setCaret] = useState(0);
  useEffect(() => {
    if (!view) return undefined;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setCaret(view.state.selection.main.head));
    };
    look();
    document.addEventListener('selectionchange', look);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('selectionchange', look);
    };
  }, [view]);
  return caret;
}
