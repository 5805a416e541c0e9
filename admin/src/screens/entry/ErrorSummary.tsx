import { Alert, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '~/i18n';
import { useEditing } from './context';
import classes from './Editor.module.css';
import { labelOf } from './labels';
import { useForm } from './store';

/** What has to be put right before it can be saved: how much, and the way to each. */
export function ErrorSummary() {
  const { type, form, focus } = useEditing();
  const errors = useForm(form, (state) => state.errors);
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
