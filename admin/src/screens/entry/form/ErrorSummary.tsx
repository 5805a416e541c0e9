import { Alert, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '~/i18n';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { labelOf } from './labels';
import { useFormState } from './store';

/** The problems that prevent saving: their number, and a link to each. */
export function ErrorSummary() {
  const { type, form, focus } = useEditing();
  const errors = useFormState(form, (state) => state.errors);
  const wrong = Object.entries(errors);
  if (wrong.length === 0) return null;
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={t('entry.errors', { count: wrong.length })}
    >
      <ul className={classes.errors}>
        {wrong.map(([path, message]) => (
          <li key={path}>
            <UnstyledButton fz="sm" onClick={() => focus(path)}>
              {labelOf(type, path)}
            </UnstyledButton>
            : {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
