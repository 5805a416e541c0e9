import { Button, Collapse } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useMemo, useState } from 'react';
import { useReveal } from '~/fields/focus';
import { t } from '~/i18n';
import { useEditing } from '../context';
import { Field } from '../form/Field';
import fields from '../form/Fields.module.css';
import { isAtOrBelow } from '../form/form';
import { sharedFields } from './pairs';
import classes from './translate.module.css';

/** The fields that are the same in all languages, behind one line. */
export function SharedFields() {
  const { type } = useEditing();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const shared = useMemo(() => sharedFields(type), [type]);
  useReveal((path) => shared.some(([name]) => isAtOrBelow(path, name)) && setOpen(true));
  if (shared.length === 0) return null;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.shared}>
      <Button variant="subtle" size="compact-sm" color="gray" fw={500} leftSection={<Icon size={15} aria-hidden />} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} aria-controls={id}>
        {t('entry.translate.shared', { count: shared.length })}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && (
          <div className={fields.grid}>
            {/* Texts about a picture stand in its card elsewhere, and by themselves here. */}
            {shared.map(([name, definition]) => <Field key={name} name={name} definition={definition} place="card" />)}
          </div>
        )}
      </Collapse>
    </div>
  );
}
