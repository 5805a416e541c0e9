/** The way out of a table: to the line before or after it. */
import { isolateHistory } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { t } from '~/i18n';
import type { TablePlace } from './tables';

interface Leaving {
  main: EditorView;
  place: TablePlace | undefined;
}

/** Puts the caret beside a table; *out* is wherever there is a line. A line that is missing is added. */
export function leaveGrid({ main, place }: Leaving, where: 'before' | 'after' | 'out'): true {
  if (!place) return true;
  const { length } = main.state.doc;
  const before = where === 'before' || (where === 'out' && place.to === length && place.from > 0);
  const missing = before ? place.from === 0 : place.to === length;
  const at = before ? Math.max(0, place.from - 1) : place.to + 1;
  main.dispatch({
    ...(missing && { changes: { from: before ? 0 : length, insert: '\n' }, userEvent: 'input', annotations: isolateHistory.of('full') }),
    selection: { anchor: at },
    scrollIntoView: true,
  });
  main.focus();
  return true;
}

/** Deletes a table; the caret stays on the line where it was. */
export function deleteTable({ main, place }: Leaving): void {
  if (!place || main.state.readOnly) return;
  main.dispatch({
    changes: { from: place.from, to: place.to },
    selection: { anchor: place.from },
    userEvent: 'delete.table',
    annotations: isolateHistory.of('full'),
    effects: EditorView.announce.of(t('fields.table.deleted')),
  });
  main.focus();
}
