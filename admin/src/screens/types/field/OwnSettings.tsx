import { NumberInput, Select, Switch, TagsInput, TextInput, type TextInputProps } from '@mantine/core';
import type { ComponentType } from 'react';
import { ON_DELETE, type OwnKey } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { containerOf, type DraftField, fieldsIn } from '../draft/draft';
import { setDefinition } from '../draft/edit';
import { KINDS, type KindWith } from '../draft/kinds';
import classes from '../types.module.css';
import { FieldStructure } from './FieldStructure';
import { JsonSchemaSetting } from './JsonSchemaSetting';
import { OptionsEditor } from './OptionsEditor';
import { PresetsEditor } from './PresetsEditor';

interface SettingProps {
  field: DraftField;
  setting: OwnKey;
}

/** The places in the panel of a field: what defines the kind, what it contains, what limits its values, how it looks. */
type Part = 'main' | 'structure' | 'rules' | 'appearance';

/** The place and the input of each setting. Their order is that of the kind. */
const SETTINGS: Readonly<Record<OwnKey, { part: Part; Input: ComponentType<SettingProps> }>> = {
  accept: { part: 'main', Input: Accept },
  alpha: { part: 'main', Input: Flag },
  alt_field: { part: 'main', Input: TextField },
  blocks: { part: 'structure', Input: FieldStructure },
  caption_field: { part: 'main', Input: TextField },
  decimals: { part: 'rules', Input: Count },
  display_decimals: { part: 'rules', Input: Count },
  fields: { part: 'structure', Input: FieldStructure },
  integer: { part: 'main', Input: Flag },
  max: { part: 'rules', Input: Bound },
  max_files: { part: 'rules', Input: Count },
  max_items: { part: 'rules', Input: Count },
  max_length: { part: 'rules', Input: Count },
  min: { part: 'rules', Input: Bound },
  min_items: { part: 'rules', Input: Count },
  min_length: { part: 'rules', Input: Count },
  multiple: { part: 'main', Input: Multiple },
  on_delete: { part: 'rules', Input: OnDelete },
  options: { part: 'main', Input: OptionsEditor },
  pattern: { part: 'rules', Input: Pattern },
  placeholder: { part: 'appearance', Input: Placeholder },
  presets: { part: 'structure', Input: PresetsEditor },
  schema: { part: 'main', Input: JsonSchemaSetting },
  source: { part: 'main', Input: Source },
  step: { part: 'rules', Input: Amount },
  subfields: { part: 'structure', Input: FieldStructure },
  target: { part: 'main', Input: Target },
};

/** The settings that have no label, or one for each kind. All others have one text, `types.set.…`. */
type OtherLabel = 'subfields' | 'fields' | 'blocks' | 'multiple' | 'presets';

/** Limits of a list, which a field with a single value does not have. */
const LIST_LIMITS: readonly OwnKey[] = ['max_files', 'max_items'];

/** The texts about a single picture, which a field with several has no place for. */
const SINGLE_TEXTS: readonly OwnKey[] = ['alt_field', 'caption_field'];

/** Checks whether a setting of some kind is asked for among the rules. */
export function isOwnRule(setting: string): boolean {
  return Object.hasOwn(SETTINGS, setting) && SETTINGS[setting as OwnKey].part === 'rules';
}

/** The settings that only some kinds have. */
export function OwnSettings({ field, part }: { field: DraftField; part: Part }) {
  const { type, multiple } = field.definition;
  const { own } = KINDS[type];
  const single = own.includes('multiple') && !multiple;
  const isLeftOut = (it: OwnKey) => (single ? LIST_LIMITS.includes(it) : SINGLE_TEXTS.includes(it) && field.definition[it] === undefined);
  const asked = own.filter((it) => SETTINGS[it].part === part && !isLeftOut(it));
  return asked.map((it) => {
    const { Input } = SETTINGS[it];
    return <Input key={it} field={field} setting={it} />;
  });
}

function useSetting(field: DraftField, setting: OwnKey) {
  const { change, defects } = useBuilder();
  return {
    label: t(`types.set.${setting as Exclude<OwnKey, OtherLabel>}`),
    value: field.definition[setting],
    error: defectOf(defects, field.uid, setting),
    set: (value: unknown) => change((it) => setDefinition(it, field.uid, { [setting]: value })),
  };
}

function Flag({ field, setting, ...other }: SettingProps & { label?: string }) {
  const { label, value, error, set } = useSetting(field, setting);
  return (
    <Switch
      label={label}
      checked={value === true}
      onChange={(event) => set(event.currentTarget.checked || undefined)}
      error={error}
      {...other}
    />
  );
}

function Multiple(props: SettingProps) {
  const kind = props.field.definition.type as KindWith<'multiple'>;
  return <Flag {...props} label={t(`types.multiple.${kind}`)} />;
}

function Count(props: SettingProps) {
  return <Amount {...props} isCount />;
}

function Amount({ field, setting, isCount = false }: SettingProps & { isCount?: boolean }) {
  const { label, value, error, set } = useSetting(field, setting);
  return (
    <NumberInput
      label={label}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => set(typeof next === 'number' ? next : undefined)}
      allowNegative={!isCount}
      allowDecimal={!isCount}
      error={error}
      hideControls={!isCount}
    />
  );
}

function Line({ field, setting, ...other }: SettingProps & TextInputProps) {
  const { label, value, error, set } = useSetting(field, setting);
  return (
    <TextInput
      label={label}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value || undefined)}
      error={error}
      {...other}
    />
  );
}

/** The lowest or the highest value; of dates as text, for any date that ISO 8601 writes is one. */
function Bound(props: SettingProps) {
  const { type } = props.field.definition;
  if (type !== 'date' && type !== 'datetime') return <Amount {...props} />;
  const label = t(props.setting === 'min' ? 'types.set.earliest' : 'types.set.latest');
  return <Line {...props} label={label} placeholder={type === 'date' ? '2026-05-03' : '2026-05-03T12:00:00Z'} />;
}

function Placeholder(props: SettingProps) {
  return <Line {...props} description={t('types.placeholderHint')} />;
}

function Pattern(props: SettingProps) {
  return (
    <Line
      {...props}
      description={t('types.patternHint')}
      placeholder="^[A-Z]{2}-[0-9]+$"
      classNames={{ input: classes.mono }}
      spellCheck={false}
    />
  );
}

function Target({ field, setting }: SettingProps) {
  const { types, draft } = useBuilder();
  const { label, value, error, set } = useSetting(field, setting);
  const names = types.map((it) => ({ value: it.name, label: it.label }));
  const own = draft.name && !types.some((it) => it.name === draft.name) ? [{ value: draft.name, label: draft.label || draft.name }] : [];
  const gone = typeof value === 'string' && ![...names, ...own].some((it) => it.value === value) ? [{ value, label: value }] : [];
  return (
    <Select
      label={label}
      description={t('types.targetHint')}
      data={[...names, ...own, ...gone]}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => set(next ?? undefined)}
      error={error}
      required
      searchable
    />
  );
}

/** The treatment of the relation when its target is deleted. */
function OnDelete({ field, setting }: SettingProps) {
  const { label, value, error, set } = useSetting(field, setting);
  const known = ON_DELETE.map((it) => ({ value: it, label: t(`types.onDelete.${it}`) }));
  const other = typeof value === 'string' && !known.some((it) => it.value === value) ? [{ value, label: value }] : [];
  return (
    <Select
      label={label}
      description={t('types.onDeleteHint')}
      data={[...known, ...other]}
      value={typeof value === 'string' ? value : 'keep'}
      onChange={(next) => set(next === 'keep' ? undefined : (next ?? undefined))}
      error={error}
      allowDeselect={false}
    />
  );
}

const PATTERNS = ['image/*', 'video/*', 'audio/*', 'application/pdf', 'image/svg+xml', 'text/*'];

function Accept({ field, setting }: SettingProps) {
  const { label, value, error, set } = useSetting(field, setting);
  return (
    <TagsInput
      label={label}
      description={t('types.acceptHint')}
      data={PATTERNS}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => set(next.length > 0 ? next : undefined)}
      error={error}
      clearButtonProps={{ 'aria-label': t('types.clear') }}
    />
  );
}

function Source({ field, setting }: SettingProps) {
  const { draft } = useBuilder();
  const { label, value, error, set } = useSetting(field, setting);
  const texts = draft.fields.filter((it) => it.definition.type === 'text' || it.key === value);
  return (
    <Select
      label={label}
      description={t('types.sourceHint')}
      data={texts.map((it) => ({ value: it.key, label: it.definition.label ?? it.key }))}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => set(next ?? undefined)}
      placeholder={draft.slug_source}
      error={error}
      allowDeselect
    />
  );
}

/** The field beside this one that holds a text about its picture. */
function TextField({ field, setting }: SettingProps) {
  const { draft } = useBuilder();
  const { label, value, error, set } = useSetting(field, setting);
  const level = fieldsIn(draft, containerOf(draft, field.uid));
  const isText = (it: DraftField) => it.definition.type === 'text' || it.definition.type === 'textarea';
  const texts = level.filter((it) => (isText(it) && !(level === draft.fields && it.key === 'title')) || it.key === value);
  return (
    <Select
      label={label}
      description={t(setting === 'alt_field' ? 'types.altFieldHint' : 'types.captionFieldHint')}
      data={texts.map((it) => ({ value: it.key, label: it.definition.label ?? it.key }))}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => set(next ?? undefined)}
      placeholder={t('types.noTextField')}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': t('types.clear') }}
    />
  );
}
