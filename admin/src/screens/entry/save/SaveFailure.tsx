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
  return failure && !broken && <FailureBar failure={failure} busy={saving} onRetry={() => onRetry(failure)} />;
}
