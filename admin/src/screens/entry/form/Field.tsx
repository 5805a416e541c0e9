import { Button, Group, Text } from '@mantine/core';
import { IconCopy, IconWorld } from '@tabler/icons-react';
import { memo, useCallback, useMemo } from 'react';
import type { FieldDefinition } from '~/api/fields';
import { isEmptyValue } from '~/diff/values';
import { FieldInput } from '~/fields/FieldInput';
import { isInCard } from '~/fields/media/texts';
import { isVisible } from '~/fields/visible';
import { labelled, localeName, t } from '~/i18n';
import { useEditing } from '../context';
import classes from './Fields.module.css';
import { errorsAt, isTranslated, readValue, slotOf } from './form';
import { useFormState } from './store';

interface FieldProps {
  name: string;
  definition: FieldDefinition;
}

interface PlacedFieldProps extends FieldProps {
  /** The place of the input: in the form, or in the card of a picture that it says something of. */
  place?: 'form' | 'card' | 'card-if-needed';
}

/** One field of the entry: drawn anew only when its own value, or an error about it, changes. */
export const Field = memo(function Field({ name, definition, place = 'form' }: PlacedFieldProps) {
  const { type, form, locale } = useEditing();
  const visible = useFormState(form, ({ values, errors }) => {
    const valueOf = (other: string) => readValue(type, values, other, locale);
    if (definition.hidden || !isVisible(definition, valueOf)) return false;
    if (place === 'form') return !isInCard(type.fields, name, valueOf);
    const slot = slotOf(type, name, locale);
    return place === 'card' || !isEmptyValue(values[slot]) || errors[slot] !== undefined;
  });
  const width = name === 'title' ? 'full' : (definition.layout?.width ?? 'full');
  if (!visible) return null;
  return (
    <div className={classes.field} data-width={width} data-title={name === 'title' || undefined}>
      <Edited name={name} definition={definition} />
    </div>
  );
});

/** The input, and what has to be known of its language. */
export function Edited({ name, definition }: FieldProps) {
  const { workspace, type, id, form, locale, readOnly } = useEditing();
  const slot = slotOf(type, name, locale);
  const value = useFormState(form, (state) => state.values[slot]);
  const errors = useFormState(form, (state) => state.errors);
  const wrong = useMemo(() => errorsAt(errors, slot), [errors, slot]);
  const context = useMemo(() => ({ workspace, type: type.name, id, locale }), [workspace, type.name, id, locale]);
  const onChange = useCallback((next: unknown) => form.set(slot, next), [form, slot]);
  const shown = useShownDefinition(name, definition);
  const shared = Boolean(locale) && !isTranslated(type, name);
  return (
    <div className={classes.edited}>
      <FieldInput
        path={slot}
        name={name}
        definition={shown}
        value={value}
        onChange={onChange}
        context={context}
        errors={wrong}
        readOnly={readOnly || definition.readonly === true}
      />
      {shared && (
        <Text size="xs" c="dimmed" mt={4} className={classes.note}>
          <IconWorld size={13} aria-hidden /> {t('entry.shared')}
        </Text>
      )}
      {slot !== name && isEmptyValue(value) && <Untranslated name={name} slot={slot} />}
    </div>
  );
}

/**
 * In a translation nothing is required, since what it lacks is read from another language; that is
 * shown in the place of the value, unless the source stands beside it.
 */
function useShownDefinition(name: string, definition: FieldDefinition): FieldDefinition {
  const { type, form, locale, compare } = useEditing();
  const translates = slotOf(type, name, locale) !== name;
  const fallback = useFormState(form, ({ values }) => {
    const read = translates && !compare ? readValue(type, values, name, locale) : undefined;
    return typeof read === 'string' ? placeholderFrom(read, definition) : undefined;
  });
  return useMemo(
    () => (translates ? { ...definition, required: false, ...(fallback && { placeholder: fallback }) } : definition),
    [definition, translates, fallback],
  );
}

/** The beginning of a text, without the signs of Markdown: where it stands, they would mean nothing. */
function placeholderFrom(text: string, { type }: FieldDefinition): string {
  if (type !== 'markdown') return text.slice(0, SHOWN_MAX);
  const plain = text.slice(0, 3 * SHOWN_MAX).replaceAll(/!?\[([^\]]*)\]\([^)]*\)?/g, '$1').replaceAll(/^[ \t]*(?:#+|>|[-+*])[ \t]+|[*_`|]+/gm, '');
  return plain.trim().slice(0, SHOWN_MAX);
}

/** The length of a text that stands in the place of a value. */
const SHOWN_MAX = 160;

/** Says what readers see where a translation is missing, and helps to begin one. */
function Untranslated({ name, slot }: { name: string; slot: string }) {
  const { type, form, locale, readOnly, compare } = useEditing();
  const source = slotOf(type, name, type.default_locale === locale ? type.root_locale : type.default_locale);
  const there = useFormState(form, ({ values }) => !isEmptyValue(values[source]));
  if (!there) return null;
  const language = localeName(type.default_locale === locale ? type.root_locale : type.default_locale);
  return (
    <Group gap="xs" mt={4}>
      <Text size="xs" c="dimmed">
        {t('entry.untranslated', { language })}
      </Text>
      {!readOnly && !compare && (
        <CopyFrom label={t('entry.copyFrom', { language })} field={name} onClick={() => form.set(slot, form.state().values[source])} />
      )}
    </Group>
  );
}

function CopyFrom({ label, field, onClick }: { label: string; field: string; onClick: () => void }) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      leftSection={<IconCopy size={13} aria-hidden />}
      onClick={onClick}
      aria-label={labelled(label, field)}
    >
      {label}
    </Button>
  );
}
