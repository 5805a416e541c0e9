import { Box, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { FieldInput } from '~/fields/FieldInput';
import { isVisible } from '~/fields/visible';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { type DraftField, definitionOf } from '../draft/draft';
import classes from '../types.module.css';
import { widthOf } from './WidthMenu';

/** One field as an editor will see it. What is typed into it goes nowhere. */
export function FieldPreview({ field }: { field: DraftField }) {
  const { workspace, draft } = useBuilder();
  const [value, setValue] = useState<unknown>(field.definition.default);
  const { type } = field.definition;
  return (
    <Box role="group" className={classes.sample} aria-label={t('types.preview')}>
      <Text size="xs" fw={600} c="dimmed" mb="xs">
        {t('types.preview')}
      </Text>
      <FieldInput
        key={type}
        path={`preview-${field.key}`}
        name={field.key}
        definition={definitionOf(field)}
        value={value}
        onChange={setValue}
        context={{ workspace, type: draft.name, id: undefined, locale: draft.default_locale }}
        errors={{}}
      />
    </Box>
  );
}

/** The whole form as an editor will see it: with its widths, and with what shows only sometimes. */
export function FormPreview() {
  const { workspace, draft } = useBuilder();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const of = (field: DraftField) => (field.uid in values ? values[field.uid] : field.definition.default);
  const byKey = new Map(draft.fields.map((it) => [it.key, of(it)]));
  const shown = draft.fields.filter((it) => !it.definition.hidden && isVisible(it.definition, (other) => byKey.get(other)));
  return (
    <section className={classes.panel} aria-label={t('types.preview')}>
      <Title order={2} size="h3">
        {t('types.preview')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('types.previewHint')}
      </Text>
      <div className={classes.form}>
        {shown.map((field) => (
          <div key={`${field.uid}-${field.definition.type}`} data-width={widthOf(field)}>
            <FieldInput
              path={`form-${field.key}`}
              name={field.key}
              definition={definitionOf(field)}
              value={of(field)}
              onChange={(value) => setValues((it) => ({ ...it, [field.uid]: value }))}
              context={{ workspace, type: draft.name, id: undefined, locale: draft.default_locale }}
              errors={{}}
            />
          </div>
        ))}
      </div>
    </section>
  );
}
