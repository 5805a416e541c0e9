import { FailureBar } from '~/ui/FailureBar';
import { useEditing } from '../context';
import { type Failure, isBroken, useFormState } from '../form/store';

/** The bar about a save of the entry that came to nothing. */
export function SaveFailure({ onRetry }: { onRetry: (failure: Failure) => void }) {
  const { form } = useEditing();
  const failure = useFormState(form, (state) => state.failure);
  const saving = useFormState(form, (state) => state.saving);
  const broken = useFormState(form, (state) => isBroken(state.entry));
  // Nothing can be saved into a damaged file, and another notice says so.
  if (!failure || broken) return undefined;
  const publishes = failure.set.status !== undefined;
  return <FailureBar failure={failure} busy={saving} byHand={publishes} onRetry={() => onRetry(failure)} />;
}
