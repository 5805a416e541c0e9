import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '~/api/error';
import { t } from '~/i18n';

const NONE = {};

/** Returns the messages of a refusal by the path of the value, for the inputs to show. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : NONE;
}

interface FormErrorProps {
  error: unknown;
  fields?: Readonly<Record<string, string>>;
  /** The values whose inputs show what is wrong themselves: names, or beginnings that end in `.` or `[`. */
  shown?: readonly string[];
}

/** The reason that a form was refused for, as far as no input of it shows it. */
export function FormError({ error, fields: all = refusedFields(error), shown = [] }: FormErrorProps) {
  if (!error) return null;
  // The dialog for logging in again tells it already.
  if (error instanceof ApiError && error.code === 'unauthenticated') return null;
  const at = (path: string) => shown.some((it) => it === path || (/[.[]$/.test(it) && path.startsWith(it)));
  const fields = Object.entries(all);
  const rest = fields.filter(([path]) => !at(path));
  if (fields.length > 0 && rest.length === 0) return null;
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
      {error instanceof ApiError ? error.message : t('general.failedHint')}
      {rest.map(([path, message]) => (
        <div key={path}>
          {path}: {message}
        </div>
      ))}
    </Alert>
  );
}
