/** The beginnings of lines in quotations and lists: bars, bullets, numbers, boxes, and hanging indentation. */
import type { EditorState, Line } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { t } from '~/i18n';
import type { Painter } from './painter';
import { type Level, markerOf, type Prefix, readPrefix, taskOf } from './prefix';
import { setTask } from './tasks';

/** Widths in em. */
const QUOTE = 1.2;
const BULLET = 1.5;
const TASK = 1.75;
const DIGIT = 0.62;

/** Decorates the beginning of a line. */
export function paintPrefix(painter: Painter, line: Line): void {
  const { state } = painter;
  const prefix = readPrefix(state, line);
  if (prefix.levels.length === 0) return;
  let hanging = 0;
  for (const { kind, from, to } of prefix.signs) {
    if (kind !== 'marker') {
      if (kind !== 'task') painter.hide(from, to);
      continue;
    }
    const level = prefix.levels.find((it) => it.kind === 'item' && it.node.from === from);
    if (!level) continue;
    const done = taskOf(state, level.node);
    const width = widthOf(state, level);
    hanging += width;
    const end = done === undefined ? to : prefix.end;
    const marker = markerOf(state, level.node);
    painter.replace(from, end, done === undefined ? new Marker(marker, width) : new TaskBox(done, state.readOnly));
    if (done) painter.mark(prefix.end, line.to, 'cm-md-done');
  }
  if (prefix.end > line.from) painter.fix(line.from, prefix.end);
  painter.line(line.from, `cm-md-indented ${bars(prefix)}`.trim(), style(state, prefix, hanging));
}

function bars({ levels }: Prefix): string {
  const count = levels.filter((it) => it.kind === 'quote').length;
  return count === 0 ? '' : `cm-md-quote cm-md-quote-${Math.min(3, count)}`;
}

function style(state: EditorState, { levels }: Prefix, hanging: number): string {
  let [indent, bar, css] = [0, 0, ''];
  for (const level of levels) {
    if (level.kind === 'quote') {
      bar += 1;
      css += `--md-bar-${bar}:${em(indent)};`;
    }
    indent += widthOf(state, level);
  }
  return `--md-indent:${em(indent)};--md-hanging:${em(hanging)};${css}`;
}

const em = (width: number) => `${Number(width.toFixed(2))}em`;

function widthOf(state: EditorState, { kind, node }: Level): number {
  if (kind === 'quote') return QUOTE;
  if (taskOf(state, node) !== undefined) return TASK;
  return Math.max(BULLET, markerOf(state, node).length * DIGIT + 0.45);
}

/** A bullet or a number, as wide as its lines are indented. */
class Marker extends WidgetType {
  constructor(
    private readonly marker: string,
    private readonly width: number,
  ) {
    super();
  }

  override eq(other: Marker): boolean {
    return other.marker === this.marker && other.width === this.width;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    const isNumber = /\d/.test(this.marker);
    element.className = isNumber ? 'cm-md-number' : 'cm-md-bullet';
    element.textContent = isNumber ? this.marker : '•';
    element.style.width = em(this.width);
    return element;
  }
}

/** The box of a task. A click changes it; by keyboard, Ctrl/⌘ Enter anywhere in its line. */
class TaskBox extends WidgetType {
  constructor(
    private readonly done: boolean,
    private readonly readOnly: boolean,
  ) {
    super();
  }

  override eq(other: TaskBox): boolean {
    return other.done === this.done && other.readOnly === this.readOnly;
  }

  override toDOM(view: EditorView): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-md-task';
    const box = element.appendChild(document.createElement('input'));
    box.type = 'checkbox';
    box.tabIndex = -1;
    box.checked = this.done;
    box.disabled = this.readOnly;
    box.setAttribute('aria-label', t('fields.markdown.task'));
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      // The text decides what is shown.
      event.preventDefault();
      setTask(view, view.posAtDOM(element));
    });
    return element;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
