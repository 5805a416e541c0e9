import { Select, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FIELD_KINDS, type FieldKind } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from './builder';
import { defectOf } from './defects';
import { containerOf, type DraftField, isFixed, ROOT } from './draft';
import { setDefinition, setKey, setKind, setLabel } from './edit';
import { FieldLook } from './FieldLook';
import { FieldPreview } from './FieldPreview';
import { FieldRules } from './FieldRules';
import { FieldStructure } from './FieldStructure';
import { Inputs } from './Inputs';
import { isNested } from './kinds';
import { OwnSettings } from './OwnSettings';
import classes from './types.module.css';

/** Everything that can be said of a field. Changes count at once in the draft. */
export function FieldSettings({ field }: { field: DraftField }) {
  const { defects } = useBuilder();
  const nested = isNested(field.definition.type);
  const [tab, setTab] = useState<string | null>('field');
  const wrong = Object.keys(defects[field.uid] ?? {});
  const mark = (settings: readonly string[]) =>
    wrong.some((it) => settings.some((setting) => it.startsWith(setting))) ? t('types.hasMistake') : undefined;
  return (
    <Stack gap="md">
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('types.fieldSettings')}>
          <Tabs.Tab value="field">{t('types.tab.field')}</Tabs.Tab>
          <Tabs.Tab value="rules" rightSection={mark(['min', 'max', 'pattern', 'default', 'required', 'unique'])}>
            {t('types.tab.rules')}
          </Tabs.Tab>
          <Tabs.Tab value="look">{t('types.tab.look')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="field">
          <Inputs>
            <Naming field={field} />
            <OwnSettings field={field} part="main" />
          </Inputs>
          {nested && <FieldStructure field={field} />}
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <Inputs>
            <FieldRules field={field} />
            <OwnSettings field={field} part="rules" />
          </Inputs>
        </Tabs.Panel>
        <Tabs.Panel value="look">
          <Inputs>
            <FieldLook field={field} />
          </Inputs>
        </Tabs.Panel>
      </Tabs>
      <FieldPreview field={field} />
    </Stack>
  );
}

function Naming({ field }: { field: DraftField }) {
  const { draft, change, defects } = useBuilder();
  const fixed = isFixed(draft, field);
  const top = containerOf(draft, field.uid) === ROOT;
  const { type, label = '', description = '' } = field.definition;
  const renamed = field.saved !== undefined && field.saved !== field.key;
  return (
    <>
      <TextInput
        label={t('types.label')}
        value={label}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change((it) => setLabel(it, field.uid, value));
        }}
        onFocus={(event) => !field.keyTouched && event.currentTarget.select()}
        error={defectOf(defects, field.uid, 'label')}
        data-autofocus
      />
      <TextInput
        label={t('types.key')}
        description={renamed && top ? t('types.keyRenamed', { name: field.saved ?? '' }) : t('types.keyHint')}
        value={field.key}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change((it) => setKey(it, field.uid, value));
        }}
        disabled={fixed}
        error={defectOf(defects, field.uid, 'key')}
        classNames={{ input: classes.mono }}
        spellCheck={false}
        autoComplete="off"
      />
      <Textarea
        label={t('types.description')}
        description={t('types.descriptionHint')}
        value={description}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change((it) => setDefinition(it, field.uid, { description: value || undefined }));
        }}
        autosize
        minRows={2}
        maxRows={6}
      />
      <Select
        label={t('types.kindOf')}
        description={
          <Text span size="xs">
            {t(`types.kindAbout.${type}`)}
          </Text>
        }
        value={type}
        data={FIELD_KINDS.filter((it) => top || it !== 'slug').map((it) => ({ value: it, label: t(`types.kind.${it}`) }))}
        onChange={(value) => value && change((it) => setKind(it, field.uid, value as FieldKind))}
        disabled={fixed}
        error={defectOf(defects, field.uid, 'type')}
        searchable
      />
    </>
  );
}
