import { Alert, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '~/i18n';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { labelOf } from '../form/labels';
import { isBroken, useFormState } from '../form/store';

/** The problems of the saved entry: values that do not fit the content type, references that lead nowhere. */
export function Problems() {
  const { type, form, focus } = useEditing();
  const entry = useFormState(form, (state) => state.entry);
  // The notice about a damaged file tells what is wrong with it as a whole.
  const problems = isBroken(entry) ? entry?.problems.filter((it) => it.field !== null) : entry?.problems;
  if (!problems || problems.length === 0) return null;
  return (
    <Alert color="amber" icon={<IconAlertTriangle size={18} aria-hidden />} title={t('entry.problems', { count: problems.length })}>
      <ul className={classes.errors}>
        {problems.map(({ field, message }, index) => {
          // The server names the place in the file; inputs are named without the `data` around them.
          const path = field?.replace(/^data\./, '');
          return (
            // Two problems may well read the same.
            <li key={`${index}-${message}`}>
              {path && (
                <>
                  <UnstyledButton fz="sm" onClick={() => focus(path)}>
                    {labelOf(type, path)}
                  </UnstyledButton>
                  {': '}
                </>
              )}
              {message}
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
