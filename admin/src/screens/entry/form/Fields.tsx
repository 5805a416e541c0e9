import { Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { isEmptyValue } from '~/diff/values';
import { type Neighbours, NeighboursProvider } from '~/fields/neighbours';
import { t } from '~/i18n';
import { useEditing } from '../context';
import { Field } from './Field';
import classes from './Fields.module.css';
import { contentFields, readValue, slotOf } from './form';
import { useFormState } from './store';

/** All fields of the entry, in the order and widths that the content type says. */
export function Fields() {
  const { type, locale } = useEditing();
  const fields = contentFields(type);
  const neighbours = useEntryNeighbours();
  return (
    <NeighboursProvider value={neighbours}>
    <section aria-label={t('entry.fields')} className={classes.grid}>
      {fields.map(([name, definition]) => (
        <Field key={slotOf(type, name, locale)} name={name} definition={definition} />
      ))}
      {fields.length <= 1 && (
        <Text c="dimmed" size="sm" className={classes.field}>
          {t('entry.noFields')}
        </Text>
      )}
    </section>
    </NeighboursProvider>
  );
}

/** Returns the fields of the entry, for inputs in which others of them stand. */
function useEntryNeighbours(): Neighbours {
  const { type, locale } = useEditing();
  return useMemo(
    () => ({
      show: (name, change, ifNeeded) => {
        const definition = type.fields[name];
        return definition && <Field key={slotOf(type, name, locale)} name={name} definition={{ ...definition, ...change }} place={ifNeeded ? 'card-if-needed' : 'card'} />;
      },
      whileEmpty: (name, children) => <WhileEmpty name={name}>{children}</WhileEmpty>,
    }),
    [type, locale],
  );
}

function WhileEmpty({ name, children }: { name: string; children: ReactNode }) {
  const { type, form, locale } = useEditing();
  const isEmpty = useFormState(form, ({ values }) => isEmptyValue(readValue(type, values, name, locale)));
  return isEmpty && children;
}
