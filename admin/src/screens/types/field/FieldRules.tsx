import { Box, Switch } from '@mantine/core';
import type { FieldDefinition } from '~/api/fields';
import { FieldInput } from '~/fields/FieldInput';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { containerOf, type DraftField, definitionOf, isFixed, ROOT } from '../draft/draft';
import { setDefinition } from '../draft/edit';
import { isNested } from '../draft/kinds';

/** The rules for a value, for whichever kind. */
export function FieldRules({ field }: { field: DraftField }) {
  const { draft, change } = useBuilder();
  const { type, required, unique, localized } = field.definition;
  const top = containerOf(draft, field.uid) === ROOT;
  const slug = top && field.key === draft.slug_field;
  const set = (setting: Parameters<typeof setDefinition>[2]) => change((it) => setDefinition(it, field.uid, setting));
  return (
    <>
      {!slug && (
        <Switch
          label={t('types.required')}
          description={t('types.requiredHint')}
          checked={required === true}
          onChange={(event) => set({ required: event.currentTarget.checked || undefined })}
        />
      )}
      {top && !isFixed(draft, field) && !isNested(type) && type !== 'boolean' && (
        <Switch
          label={t('types.unique')}
          description={t('types.uniqueHint')}
          checked={unique === true}
          onChange={(event) => set({ unique: event.currentTarget.checked || undefined })}
        />
      )}
      {top && !isFixed(draft, field) && draft.locales.length > 0 && (
        <Switch
          label={t('types.localized')}
          description={t('types.localizedHint')}
          checked={localized !== false}
          onChange={(event) => set({ localized: event.currentTarget.checked ? undefined : false })}
        />
      )}
      {!isFixed(draft, field) && <DefaultValue field={field} />}
    </>
  );
}

/** The properties of the field that its default value does not share. */
const BARE: Partial<FieldDefinition> = {
  required: undefined, description: undefined, default: undefined, visible_if: undefined, hidden: undefined, readonly: undefined,
};

/** The value that a new entry begins with, given in the field's own input. */
function DefaultValue({ field }: { field: DraftField }) {
  const { workspace, draft, defects, change, readOnly } = useBuilder();
  const { default: value } = field.definition;
  const set = (next: unknown) => change((it) => setDefinition(it, field.uid, { default: next }));
  const definition = { ...definitionOf(field), ...BARE, label: t('types.defaultValue') };
  const errors = Object.fromEntries(Object.entries(defects[field.uid] ?? {}).filter(([path]) => path.startsWith('default')));
  return (
    <Box>
      <Switch
        label={t('types.default')}
        description={t('types.defaultHint')}
        checked={value !== undefined}
        onChange={(event) => set(event.currentTarget.checked ? null : undefined)}
        mb="sm"
      />
      {value !== undefined && (
        <FieldInput
          path="default"
          name="default"
          definition={definition}
          value={value}
          onChange={(next) => set(next ?? null)}
          context={{ workspace, type: draft.name, id: undefined, locale: draft.default_locale }}
          errors={errors}
          readOnly={readOnly}
        />
      )}
    </Box>
  );
}
