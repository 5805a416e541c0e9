import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { FieldKind } from '~/api/fields';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { useBuilder } from '../builder-context';
import { fieldsIn, ROOT } from '../draft/draft';
import { addField, moveField, nodeLabel } from '../draft/edit';
import { Sortable } from '../Sortable';
import classes from '../types.module.css';
import { FieldRow } from './FieldRow';
import { KindGallery } from './KindGallery';

/** The fields of a type, or of a field or block that holds some; new ones are added below. */
export function FieldList({ container }: { container: string }) {
  const { draft, change, open, readOnly } = useBuilder();
  const [picking, setPicking] = useState(false);
  const [said, setSaid] = useState('');
  const fields = fieldsIn(draft, container);
  const label = (uid: string) => {
    const field = fields.find((it) => it.uid === uid);
    return field ? nodeLabel(field) : '';
  };
  const move = (uid: string, to: number) => {
    if (to < 0 || to >= fields.length) return;
    change((it) => moveField(it, container, uid, to));
    setSaid(t('types.drag.end', { name: label(uid), place: to + 1 }));
  };
  const add = (kind: FieldKind) => {
    setPicking(false);
    const added = addField(draft, container, kind, t(`types.kind.${kind}`));
    change(() => added.draft);
    open(added.uid);
  };
  return (
    <>
      {fields.length === 0 && (
        <Text size="sm" c="dimmed" className={classes.none}>
          {t('types.noFields')}
        </Text>
      )}
      <Sortable ids={fields.map((it) => it.uid)} labelOf={label} onMove={move}>
        <ol className={classes.list} aria-label={t('types.fields')}>
          {fields.map((field, index) => (
            <FieldRow key={field.uid} field={field} index={index} container={container} onMove={(to) => move(field.uid, to)} />
          ))}
        </ol>
      </Sortable>
      {!readOnly && (
        <Button variant="default" fullWidth leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setPicking(true)}>
          {t('types.addField')}
        </Button>
      )}
      <KindGallery opened={picking} nested={container !== ROOT} onClose={() => setPicking(false)} onPick={add} />
      <Announce text={said} />
    </>
  );
}
