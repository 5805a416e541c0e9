import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { changedValues, withChanges } from './changes';
import { refusedFields } from './FormError';
import { useSaveQueue } from './save-queue';
import { useSaveShortcut } from './shortcuts';

const NO_ERRORS: Readonly<Record<string, string>> = {};

interface RecordFormOptions<V extends object, R> {
  /** The values to begin from. When they change, values that the user left alone follow them. */
  stored: V;
  /** Sends the values; `intent` is the one given to `submit`. */
  save: (values: V, changed: Partial<V>, intent: string | undefined) => Promise<R>;
  /** Returns the values that are stored after a save; by default those that were sent. */
  settle?: (saved: R, sent: V) => V;
  /** Runs after a save; the form counts as saving until it is done. */
  onSaved?: (saved: R, sent: V, intent: string | undefined) => unknown;
  onError?: (error: unknown) => void;
  onDirty?: (dirty: boolean) => void;
  /** Finds the messages for the inputs in an error, by the name of the value. */
  errorsOf?: (error: unknown) => Readonly<Record<string, string>>;
  /** Allows a save of unchanged values, as a new record needs it. */
  allowUnchanged?: boolean;
  isValid?: (values: V) => boolean;
  /** Finds the messages for the inputs before anything is sent; a save with any of them is not sent. */
  check?: (values: V) => Readonly<Record<string, string>>;
  readOnly?: boolean;
  /** Lets Ctrl/⌘ S save the form. */
  withSaveShortcut?: boolean;
}

type MantineInputProps = ReturnType<UseFormReturnType<object>['getInputProps']>;
/** The properties of an input, which may answer with an event or with the value itself. */
export type BoundProps = MantineInputProps & Required<Pick<MantineInputProps, 'value'>>;

/** The properties that bind an input to a value of a form. */
export interface InputBinding<T> {
  value: T;
  onChange: (value: T) => void;
  error?: string | undefined;
}

/** The state of a form that its buttons show. */
export interface SubmitState {
  isSaving: boolean;
  canSubmit: boolean;
  readOnly: boolean;
}

/** The state of a form, for `RecordForm` and the inputs in it. */
export interface RecordFormState<V extends object> extends SubmitState {
  values: V;
  isDirty: boolean;
  error: unknown;
  errors: Readonly<Record<string, string>>;
  setValues: (change: Partial<V>) => void;
  setValue: (path: string, value: unknown) => void;
  /** Returns the properties that bind an input to the value at a path. */
  getInputProps: (path: string, options?: { type: 'checkbox' }) => BoundProps;
  submit: (intent?: string) => void;
  /** Drops what was not saved. */
  reset: () => void;
}

/** Keeps the values of a record while they are edited, and saves them. */
export function useRecordForm<V extends object, R>(options: RecordFormOptions<V, R>): RecordFormState<V> {
  const { stored, save, settle, onSaved, onError, onDirty, errorsOf = refusedFields, readOnly = false } = options;
  const { allowUnchanged = false, isValid, check, withSaveShortcut = !readOnly } = options;
  const form = useForm<V>({ initialValues: stored, clearInputErrorOnChange: false });

  /** Puts the next stored values in the place of earlier ones, except where the user changed them. */
  const rebase = (earlier: V, next: V) => {
    form.setValues(withChanges(next, changedValues(earlier, form.getValues())));
    form.resetDirty(next);
  };
  const followed = useRef(stored);
  useEffect(() => {
    if (Object.keys(changedValues(followed.current, stored)).length > 0) rebase(form.getInitialValues(), stored);
    followed.current = stored;
  });

  const mutation = useMutation({
    mutationFn: async (intent: string | undefined) => {
      const sent = form.getValues();
      return { sent, saved: await save(sent, changedValues(form.getInitialValues(), sent), intent) };
    },
    onSuccess: async ({ sent, saved }, intent) => {
      rebase(sent, settle ? settle(saved, sent) : sent);
      await onSaved?.(saved, sent, intent);
    },
    onError,
  });

  const isDirty = Object.keys(changedValues(form.getInitialValues(), form.values)).length > 0;
  useEffect(() => void onDirty?.(isDirty), [isDirty, onDirty]);
  const canSubmit = !readOnly && (isValid?.(form.values) ?? true) && (allowUnchanged || isDirty);
  const [flaws, setFlaws] = useState(NO_ERRORS);
  const queue = useSaveQueue(async ({ intent }: { intent: string | undefined }) => {
    if (!canSubmit) return undefined;
    const found = check?.(form.getValues()) ?? NO_ERRORS;
    setFlaws(found);
    if (Object.keys(found).length > 0) return undefined;
    return await mutation.mutateAsync(intent).catch(() => undefined);
  });
  const submit = (intent?: string) => {
    // A new record is made once.
    if (canSubmit && !(allowUnchanged && mutation.isPending)) void queue({ intent });
  };
  useSaveShortcut(submit, withSaveShortcut);
  const isFlawed = Object.keys(flaws).length > 0;
  const errors = isFlawed ? flaws : errorsOf(mutation.error);
  // An input that was put right says so at once.
  const leftFlaws = isFlawed ? check?.(form.values) : undefined;
  return {
    values: form.values,
    isDirty,
    isSaving: mutation.isPending,
    canSubmit,
    readOnly,
    error: mutation.error,
    errors,
    setValues: (change) => form.setValues(change),
    setValue: (path, value) => form.setFieldValue(path, value as never),
    getInputProps: (path, more) => ({
      ...(form.getInputProps(path, { withFocus: false, ...more }) as BoundProps),
      error: errors[path] && (leftFlaws ?? errors)[path],
      ...(readOnly && { readOnly }),
    }),
    submit,
    reset: form.reset,
  };
}
