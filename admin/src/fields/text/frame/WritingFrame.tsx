import { ActionIcon, Box, FocusTrap, Text, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowsMaximize, IconArrowsMinimize, IconSearch } from '@tabler/icons-react';
import { EditorView } from '@codemirror/view';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { toggleSearch } from '~/code/search/panel';
import { formatNumber, t } from '~/i18n';
import { Counter } from '../../Counter';
import type { InputProps } from '../../types';
import classes from '../markdown.module.css';
import type { FullScreen } from '../useFullScreen';
import { countWords, readingMinutes } from './counts';
import own from './frame.module.css';
import type { Heading } from './headings';
import { OutlineList, OutlineMenu } from './Outline';
import { useWritingHead } from './writing-head';

interface WritingFrameProps {
  input: InputProps;
  text: string;
  /** The editor of the text; nothing until it is loaded. */
  view: EditorView | null;
  full: FullScreen;
  invalid: boolean;
  onBlur?: () => void;
  /** The way of showing the text; styles depend on it. */
  mode: string;
  beside?: boolean;
  /** The bar above the text; it gets the buttons that every text has. */
  renderBar: (buttons: ReactNode) => ReactNode;
  /** Returns the headings of the text; without it there is no outline. */
  findHeadings?: (text: string) => Heading[];
  /** Returns what is counted of the text; without it, all of it is. */
  readable?: (text: string) => string;
  children: ReactNode;
}

/** The frame of a long text: its tools, outline and counts, and the window that it can fill. */
export function WritingFrame(props: WritingFrameProps) {
  const { input, text, view, full, invalid, onBlur, mode, beside, renderBar, findHeadings, readable, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  useFocusInside(full.on, view);
  const [settled] = useDebouncedValue(text, 300);
  const headings = useMemo(() => findHeadings?.(settled) ?? [], [findHeadings, settled]);
  const jump = (heading: Heading, index: number) => {
    const preview = mode === 'preview' && frame.current?.querySelectorAll<HTMLElement>(`.${classes.preview} :is(h1, h2, h3, h4, h5, h6)`)[index];
    if (preview) preview.scrollIntoView();
    else if (view) goTo(view, heading.from);
  };
  const outline = findHeadings && !input.bare;
  return (
    <FocusTrap active={full.on}>
      <Box
        ref={frame}
        className={classes.frame}
        data-invalid={invalid || undefined}
        data-full={full.on || undefined}
        data-mode={mode}
        data-beside={beside || undefined}
        role={full.on ? 'dialog' : undefined}
        aria-modal={full.on || undefined}
        aria-label={full.on ? input.label : undefined}
        onKeyDown={full.onKeyDown}
        onBlur={onBlur}
      >
        {full.on && <Head />}
        {renderBar(
          <>
            {!input.bare && mode !== 'preview' && <FindButton view={view} />}
            {outline && <OutlineMenu headings={headings} onJump={jump} />}
            <FullScreenButton full={full} />
          </>,
        )}
        <div className={own.middle}>
          {full.on && outline && <OutlineList headings={headings} onJump={jump} view={view} />}
          <div className={classes.panes}>{children}</div>
        </div>
        <div className={classes.status}>
          <Counts text={readable ? readable(settled) : settled} />
          <Counter text={text} max={input.definition.max_length} />
        </div>
      </Box>
    </FocusTrap>
  );
}

/** A text that comes to fill the window goes on where it was: the trap would give the keyboard to the first button. */
function useFocusInside(on: boolean, view: EditorView | null): void {
  useEffect(() => {
    if (!on || !view) return undefined;
    const timer = setTimeout(() => view.focus());
    return () => clearTimeout(timer);
  }, [on, view]);
}

/** The title of the entry and its saving, if the text belongs to one. */
function Head() {
  const head = useWritingHead();
  return head && <div className={own.head}>{head}</div>;
}

/** Puts the caret at the end of a line and the line at the top of what is seen. */
function goTo(view: EditorView, place: number): void {
  const line = view.state.doc.lineAt(Math.min(place, view.state.doc.length));
  const scroll = { effects: EditorView.scrollIntoView(line.from, { y: 'start', yMargin: 16 }) };
  view.dispatch({ selection: { anchor: line.to }, ...scroll });
  view.focus();
  // The height of what has not been drawn yet is a guess, which is far off where many lines are blank.
  requestAnimationFrame(() => view.dispatch(scroll));
}

function FindButton({ view }: { view: EditorView | null }) {
  return (
    <Tooltip label={t('fields.code.find')}>
      <ActionIcon aria-label={t('fields.code.find')} onClick={() => view && toggleSearch(view)}>
        <IconSearch size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function FullScreenButton({ full }: { full: FullScreen }) {
  const label = t(full.on ? 'fields.markdown.fullOff' : 'fields.markdown.full');
  return (
    <Tooltip label={label}>
      <ActionIcon onClick={full.toggle} aria-label={label} aria-pressed={full.on}>
        {full.on ? <IconArrowsMinimize size={17} aria-hidden /> : <IconArrowsMaximize size={17} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

function Counts({ text }: { text: string }) {
  const count = countWords(text);
  return (
    <Text size="xs" c="dimmed" className={classes.words} title={t('fields.markdown.characters', { count: formatNumber([...text].length) })}>
      {t('fields.markdown.words', { count })}
      {count > 0 && ` · ${t('fields.writing.minutes', { count: readingMinutes(count) })}`}
    </Text>
  );
}
