import { showUndo } from '~/ui/feedback';
import type { EntryForm } from './store';

/**
 * Says what was done by the last step and offers to undo it, for as long as it is the last one: this
 * button and the one in the head never do different things.
 */
export function offerUndo(form: EntryForm, message: string, afterwards = () => {}): void {
  const lastId = () => form.state().history.done.at(-1)?.id;
  const id = lastId();
  const hide = showUndo(message, async () => {
    if (lastId() !== id) return;
    form.undo();
    afterwards();
  });
  const stop = form.subscribe(() => {
    if (lastId() === id) return;
    stop();
    hide();
  });
}
