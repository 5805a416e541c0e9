import { Modal, Text, Title } from '@mantine/core';
import type { AdminEntry } from '~/api/schema';
import { ValueDiff } from '~/diff/ValueDiff';
import { t } from '~/i18n';
import { useReturnFocus } from '~/ui/return-focus';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { changedSlots, placeOf, valuesOf } from '../form/form';
import { definitionOf, labelOf } from '../form/labels';
import { useFormState } from '../form/store';

/** Shows how what is in the form differs from what readers see. */
export function DifferencesDialog({ differences: live, onClose }: { differences: AdminEntry; onClose: () => void }) {
  useReturnFocus();
  const { workspace, type, id, form } = useEditing();
  const values = useFormState(form, (state) => state.values);
  const before = valuesOf(type, live);
  const slots = changedSlots(before, values);
  return (
    <Modal opened onClose={onClose} title={t('entry.changes.differencesTitle')} size="62rem" closeButtonProps={{ 'aria-label': t('general.close') }}>
      <Text size="sm" c="dimmed" mb="sm">
        {slots.length > 0 ? t('entry.changes.differencesBody') : t('entry.changes.noDifferences')}
      </Text>
      {slots.map((slot) => (
        <section key={slot} className={classes.decision} aria-label={labelOf(type, slot)}>
          <Title order={3} size="h4" mb="xs">
            {labelOf(type, slot)}
          </Title>
          <ValueDiff
            definition={definitionOf(type, slot)}
            before={before[slot]}
            after={values[slot]}
            context={{ workspace, type: type.name, id, locale: placeOf(slot).locale || type.root_locale }}
          />
        </section>
      ))}
    </Modal>
  );
}
