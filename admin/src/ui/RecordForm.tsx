import { Button, type ButtonProps, Group, type GroupProps, Stack, type StackProps } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { t } from '~/i18n';
import { FormError } from './FormError';
import { LeaveGuard } from './LeaveGuard';
import type { RecordFormState, SubmitState } from './useRecordForm';

interface RecordFormProps<V extends object> {
  form: RecordFormState<V>;
  /** The part above the error and the inputs. */
  head?: ReactNode;
  /** The values whose inputs show their own errors: all of them by default, see `FormError`. */
  shown?: readonly string[];
  /** Shows the error above the inputs, as far as they don't. */
  withAlert?: boolean;
  /** Asks before the page is left with unsaved changes. */
  withGuard?: boolean;
  gap?: StackProps['gap'];
  noValidate?: boolean;
  ref?: Ref<HTMLFormElement>;
  children: ReactNode;
}

/** The form of one record: an alert with what the server refuses, the inputs, and the way to save. */
export function RecordForm<V extends object>(props: RecordFormProps<V>) {
  const { form, head, shown, withAlert = true, withGuard = false, gap = 'md', noValidate = false, ref, children } = props;
  const names = Object.keys(form.values);
  return (
    <form
      ref={ref}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        // A form inside a form would send the outer one, too.
        event.stopPropagation();
        form.submit();
      }}
    >
      {withGuard && <LeaveGuard dirty={form.isDirty && !form.isSaving} />}
      {head}
      <Stack gap={gap}>
        {withAlert && (
          <FormError error={form.error} fields={form.errors} shown={shown ?? [...names, ...names.map((it) => `${it}.`)]} />
        )}
        {children}
      </Stack>
    </form>
  );
}

interface SubmitButtonProps extends ButtonProps {
  form: SubmitState;
  children?: ReactNode;
}

/** The button that sends a form, disabled while there is nothing to save. */
export function SubmitButton({ form, children = t('general.save'), ...props }: SubmitButtonProps) {
  return (
    <Button type="submit" disabled={!form.canSubmit} loading={form.isSaving} {...props}>
      {children}
    </Button>
  );
}

interface FormFooterProps extends GroupProps {
  form: SubmitState;
  submitLabel?: string;
  closeLabel?: string;
  onClose?: () => void;
  /** More buttons, before the last one. */
  children?: ReactNode;
}

/** The buttons at the end of a form; none when it cannot be changed. */
export function FormFooter({ form, submitLabel, closeLabel = t('general.cancel'), onClose, children, ...props }: FormFooterProps) {
  if (form.readOnly) return null;
  return (
    <Group justify="flex-end" {...props}>
      {onClose && (
        <Button variant="default" onClick={onClose}>
          {closeLabel}
        </Button>
      )}
      {children}
      <SubmitButton form={form}>{submitLabel}</SubmitButton>
    </Group>
  );
}
