import { FailureBar } from '~/ui/FailureBar';
import { isPublic } from '../changes/versions';
import { useEditing } from '../context';
import { type Failure, isBroken, useFormState } from '../form/store';
import { LIVE } from '../view';

/** The bar about a save of the entry that came to nothing. */
export function SaveFailure({ onRetry }: { onRetry: (failure: Failure) => void }) {
  const { form, view } = useEditing();
  const failure = useFormState(form, (state) => state.failure);
  const saving = useFormState(form, (state) => state.saving);
  const isNew = useFormState(form, (state) => state.entry === undefined);
  const isLive = useFormState(form, (state) => isPublic(state.entry));
  const broken = useFormState(form, (state) => isBroken(state.entry));
  // Nothing can be saved into a damaged file, and another notice says so.
  if (!failure || broken) return undefined;
  const byHand = isNew || failure.set.status !== undefined || (view === LIVE && isLive);
  return <FailureBar failure={failure} busy={saving} byHand={byHand} onRetry={() => onRetry(failure)} />;
}
