import { Text } from '@mantine/core';
import { t } from '~/i18n';
import { useEditing } from '../context';
import { Field } from './Field';
import classes from './Fields.module.css';
import { contentFields, slotOf } from './form';

/** All fields of the entry, in the order and widths that the content type says. */
export function Fields() {
  const { type, locale, compare } = useEditing();
  const fields = contentFields(type);
  return (
    <section aria-label={t('entry.fields')} className={classes.grid} data-compare={compare !== undefined || undefined}>
      {fields.map(([name, definition]) => (
        <Field key={slotOf(type, name, locale)} name={name} definition={definition} />
      ))}
      {fields.length <= 1 && (
        <Text c="dimmed" size="sm" className={classes.field}>
          {t('entry.noFields')}
        </Text>
      )}
    </section>
  );
}
