import { Select, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { FieldKind } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { containerOf, type DraftField, isFixed, ROOT } from '../draft/draft';
import { setDefinition, setKey, setKind, setLabel } from '../draft/edit';
import { FIELD_KINDS } from '../draft/kinds';
import classes from '../types.module.css';
import { FieldAppearance } from './FieldAppearance';
import { FieldPreview } from './FieldPreview';
import { FieldRules } from './FieldRules';
import { Inputs } from './Inputs';
import { isOwnRule, OwnSettings } from './OwnSettings';

/** The settings of every kind that are asked for under “Rules”. */
const RULES = ['default', 'required', 'unique', 'localized'];

/** Checks whether the setting at a path, such as `default[0].value`, is asked for under “Rules”. */
function isAboutRules(path: string): boolean {
  const [setting = ''] = path.split(/[.[]/);
  return RULES.includes(setting) || isOwnRule(setting);
}

function Mistake() {
  return <IconAlertCircle size={16} color="var(--mantine-color-error)" role="img" aria-label={t('types.hasMistake')} />;
}

/** Everything that can be said of a field. Changes count at once in the draft. */
export function FieldSettings({ field }: { field: DraftField }) {
  const { defects } = useBuilder();
  const wrong = Object.keys(defects[field.uid] ?? {});
  const rulesWrong = wrong.some(isAboutRules);
  const [tab, setTab] = useState<string | null>(rulesWrong && wrong.every(isAboutRules) ? 'rules' : 'field');
  return (
    <Stack gap="md">
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('types.fieldSettings')}>
          <Tabs.Tab value="field" rightSection={wrong.length > 0 && !wrong.every(isAboutRules) && <Mistake />}>
            {t('types.tab.field')}
          </Tabs.Tab>
          <Tabs.Tab value="rules" rightSection={rulesWrong && <Mistake />}>
            {t('types.tab.rules')}
          </Tabs.Tab>
          <Tabs.Tab value="appearance">{t('types.tab.appearance')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="field">
          <Inputs>
            <Naming field={field} />
            <OwnSettings field={field} part="main" />
          </Inputs>
          <OwnSettings field={field} part="structure" />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <Inputs>
            <FieldRules field={field} />
            <OwnSettings field={field} part="rules" />
          </Inputs>
        </Tabs.Panel>
        <Tabs.Panel value="appearance">
          <Inputs>
            <FieldAppearance field={field} />
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
