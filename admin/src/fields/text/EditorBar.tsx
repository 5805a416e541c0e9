import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import {
  IconBlockquote, IconBold, IconCode, IconHeading, IconItalic, IconLayoutColumns, IconLink, IconList, IconListCheck,
  IconListNumbers, IconPhoto, IconTable, type TablerIcon,
} from '@tabler/icons-react';
import type { Command, EditorView } from '@codemirror/view';
import type { ReactNode, RefObject } from 'react';
import { type Key, t } from '~/i18n';
import { COMMAND } from '~/ui/shortcuts';
import {
  cycleHeading, insertLink, insertTable, toggleBullets, toggleCode, toggleMark, toggleNumbers, toggleQuote, toggleTasks,
} from './commands';
import { InsertMenu } from './insert/InsertMenu';
import type { Insertions } from './insert/useInsertions';
import classes from './markdown.module.css';
import { moveInToolbar } from './toolbar';
import type { FullScreen } from './useFullScreen';
import type { Mode, WritingMode } from './useWritingMode';
import { editLink } from './visual/link-panel';

interface EditorBarProps {
  view: RefObject<EditorView | null>;
  writing: WritingMode;
  full: FullScreen;
  readOnly: boolean | undefined;
  insertions: Insertions;
  /** The id of the text that the buttons act on. */
  controls: string;
  bare: boolean | undefined;
  /** The buttons that every text has. */
  buttons: ReactNode;
}

/** The bar above a Markdown text: the buttons that write its signs, and the choice of views. */
export function EditorBar({ view, writing, full, readOnly, insertions, controls, bare, buttons }: EditorBarProps) {
  return (
    <div className={classes.bar}>
      {!readOnly && writing.mode !== 'preview' && <Buttons view={view} insertions={insertions} controls={controls} />}
      <div className={classes.modes}>
        {(bare || full.on) && <Modes writing={writing} />}
        {!bare && <Beside writing={writing} />}
        {buttons}
      </div>
    </div>
  );
}

/** The choice between the looks and the preview; beside the label of a field, where there is one. */
export function Modes({ writing: { mode, setMode } }: { writing: WritingMode }) {
  return (
    <SegmentedControl
      size="xs"
      value={mode}
      onChange={(next) => setMode(next as Mode)}
      aria-label={t('fields.markdown.mode')}
      data={[
        { value: 'visual', label: t('fields.markdown.visual') },
        { value: 'source', label: t('fields.markdown.source') },
        { value: 'preview', label: t('fields.markdown.preview') },
      ]}
    />
  );
}

function Beside({ writing: { beside, toggleBeside } }: { writing: WritingMode }) {
  return (
    <Tooltip label={t('fields.markdown.beside')}>
      <ActionIcon onClick={toggleBeside} aria-label={t('fields.markdown.beside')} aria-pressed={beside} data-active={beside || undefined}>
        <IconLayoutColumns size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

const COMMANDS: readonly [Key, TablerIcon, () => Command, string?][] = [
  ['fields.markdown.bold', IconBold, () => toggleMark('**'), 'B'],
  ['fields.markdown.italic', IconItalic, () => toggleMark('*'), 'I'],
  ['fields.markdown.heading', IconHeading, () => cycleHeading],
  ['fields.markdown.link', IconLink, () => (view) => editLink(view) || insertLink(view), 'K'],
  ['fields.markdown.bullets', IconList, () => toggleBullets],
  ['fields.markdown.numbers', IconListNumbers, () => toggleNumbers],
  ['fields.markdown.tasks', IconListCheck, () => toggleTasks],
  ['fields.markdown.quote', IconBlockquote, () => toggleQuote],
  ['fields.markdown.code', IconCode, () => toggleCode],
  ['fields.markdown.table', IconTable, () => insertTable(t('fields.markdown.column'))],
];

/** The buttons are one stop of the Tab key; arrows move among them. */
function Buttons({ view, insertions, controls }: Pick<EditorBarProps, 'view' | 'insertions' | 'controls'>) {
  const run = (command: Command) => {
    const editor = view.current;
    if (!editor) return;
    editor.focus();
    command(editor);
  };
  return (
    <div role="toolbar" tabIndex={-1} aria-label={t('fields.markdown.toolbar')} aria-controls={controls} className={classes.buttons} onKeyDown={moveInToolbar}>
      {COMMANDS.map(([label, Icon, command, key], index) => (
        <Tooltip key={label} label={key ? `${t(label)} (${COMMAND} ${key})` : t(label)}>
          <ActionIcon
            tabIndex={index === 0 ? 0 : -1}
            aria-label={t(label)}
            aria-keyshortcuts={key && `${COMMAND === '⌘' ? 'Meta' : 'Control'}+${key}`}
            // The selection in the text stays as it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => run(command())}
          >
            <Icon size={17} stroke={1.8} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <InsertMenu insertions={insertions} />
      <Tooltip label={t('fields.markdown.image')}>
        <ActionIcon tabIndex={-1} aria-label={t('fields.markdown.image')} onClick={() => insertions.open('file')}>
          <IconPhoto size={17} stroke={1.8} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
