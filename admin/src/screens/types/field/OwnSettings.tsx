import { NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { ON_DELETE } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import type { DraftField } from '../draft/draft';
import { setDefinition } from '../draft/edit';
import { KINDS, type OwnKey } from '../draft/kinds';
import classes from '../types.module.css';
import { JsonSchemaSetting } from './JsonSchemaSetting';
import { OptionsEditor } from './OptionsEditor';

/** The settings that define the kind, against those that merely limit its values. */
const MAIN: readonly OwnKey[] = ['options', 'multiple', 'target', 'accept', 'source', 'alpha', 'schema', 'integer'];
const COUNTS: readonly OwnKey[] = ['min_length', 'max_length', 'decimals', 'display_decimals', 'max_files', 'max_items', 'min_items'];
const STRUCTURE: readonly OwnKey[] = ['subfields', 'fields', 'blocks', 'placeholder'];

/** The settings that only some kinds have. */
export function OwnSettings({ field, part }: { field: DraftField; part: 'main' | 'rules' }) {
  const { multiple } = field.definition;
  const own = KINDS[field.definition.type].own
    .filter((it) => !STRUCTURE.includes(it) && MAIN.includes(it) === (part === 'main'))
    .filter((it) => multiple || (it !== 'max_files' && !(it === 'max_items' && field.definition.type === 'relation')));
  return own.map((it) => <Setting key={it} field={field} setting={it} />);
}

interface SettingProps {
  field: DraftField;
  setting: OwnKey;
}

function Setting({ field, setting }: SettingProps) {
  if (setting === 'options') return <OptionsEditor field={field} />;
  if (setting === 'schema') return <JsonSchemaSetting field={field} />;
  if (setting === 'target') return <Target field={field} />;
  if (setting === 'on_delete') return <OnDelete field={field} />;
  if (setting === 'accept') return <Accept field={field} />;
  if (setting === 'source') return <Source field={field} />;
  if (setting === 'multiple' || setting === 'alpha' || setting === 'integer') return <Flag field={field} setting={setting} />;
  if (setting === 'pattern') return <Pattern field={field} />;
  const day = field.definition.type === 'date' || field.definition.type === 'datetime';
  return day ? <Day field={field} setting={setting as 'min' | 'max'} /> : <Amount field={field} setting={setting} />;
}

function useSetting(field: DraftField, setting: OwnKey) {
  const { change, defects } = useBuilder();
  return {
    value: field.definition[setting],
    error: defectOf(defects, field.uid, setting),
    set: (value: unknown) => change((it) => setDefinition(it, field.uid, { [setting]: value })),
  };
}

function Flag({ field, setting }: { field: DraftField; setting: 'multiple' | 'alpha' | 'integer' }) {
  const { value, error, set } = useSetting(field, setting);
  const label = setting === 'multiple' ? t(`types.multiple.${field.definition.type as 'select'}`) : t(`types.set.${setting}`);
  return (
    <Switch
      label={label}
      checked={value === true}
      onChange={(event) => set(event.currentTarget.checked || undefined)}
      error={error}
    />
  );
}

function Amount({ field, setting }: SettingProps) {
  const { value, error, set } = useSetting(field, setting);
  const count = COUNTS.includes(setting);
  return (
    <NumberInput
      label={t(`types.set.${setting as 'min'}`)}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => set(typeof next === 'number' ? next : undefined)}
      allowNegative={!count}
      allowDecimal={!count}
      error={error}
      hideControls={!count}
    />
  );
}

/** The earliest or the latest day; as text, for any date that ISO 8601 writes is one. */
function Day({ field, setting }: { field: DraftField; setting: 'min' | 'max' }) {
  const { value, error, set } = useSetting(field, setting);
  const withTime = field.definition.type === 'datetime';
  return (
    <TextInput
      label={t(`types.set.${setting === 'min' ? 'earliest' : 'latest'}`)}
      placeholder={withTime ? '2026-05-03T12:00:00Z' : '2026-05-03'}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value || undefined)}
      error={error}
    />
  );
}

function Pattern({ field }: { field: DraftField }) {
  const { value, error, set } = useSetting(field, 'pattern');
  return (
    <TextInput
      label={t('types.set.pattern')}
      description={t('types.patternHint')}
      placeholder="^[A-Z]{2}-[0-9]+$"
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value || undefined)}
      error={error}
      classNames={{ input: classes.mono }}
      spellCheck={false}
    />
  );
}

function Target({ field }: { field: DraftField }) {
  const { types, draft } = useBuilder();
  const { value, error, set } = useSetting(field, 'target');
  const names = types.map((it) => ({ value: it.name, label: it.label }));
  const own = draft.name && !types.some((it) => it.name === draft.name) ? [{ value: draft.name, label: draft.label || draft.name }] : [];
  const gone = typeof value === 'string' && ![...names, ...own].some((it) => it.value === value) ? [{ value, label: value }] : [];
  return (
    <Select
      label={t('types.set.target')}
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
function OnDelete({ field }: { field: DraftField }) {
  const { value, error, set } = useSetting(field, 'on_delete');
  const known = ON_DELETE.map((it) => ({ value: it, label: t(`types.onDelete.${it}`) }));
  const other = typeof value === 'string' && !known.some((it) => it.value === value) ? [{ value, label: value }] : [];
  return (
    <Select
      label={t('types.set.on_delete')}
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

function Accept({ field }: { field: DraftField }) {
  const { value, error, set } = useSetting(field, 'accept');
  return (
    <TagsInput
      label={t('types.set.accept')}
      description={t('types.acceptHint')}
      data={PATTERNS}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => set(next.length > 0 ? next : undefined)}
      error={error}
      clearButtonProps={{ 'aria-label': t('types.clear') }}
    />
  );
}

function Source({ field }: { field: DraftField }) {
  const { draft } = useBuilder();
  const { value, error, set } = useSetting(field, 'source');
  const texts = draft.fields.filter((it) => it.definition.type === 'text' || it.key === value);
  return (
    <Select
      label={t('types.set.source')}
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
