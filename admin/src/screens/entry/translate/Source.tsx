import { Badge, Button, Group, Text } from '@mantine/core';
import { IconCopy, IconHistory, IconPencil } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { fieldLabel } from '~/api/fields';
import { isEmptyValue, isSameValue } from '~/diff/values';
import { ValueDiff } from '~/diff/ValueDiff';
import { FieldInput } from '~/fields/FieldInput';
import { focusField, useReveal } from '~/fields/focus';
import { fieldHints } from '~/fields/hints';
import { fieldId } from '~/fields/ids';
import { formatRelative, labelled, localeName, t } from '~/i18n';
import { useEditing } from '../context';
import { errorsAt, isAtOrBelow } from '../form/form';
import { offerUndo } from '../form/offer-undo';
import { useFormState } from '../form/store';
import { useTranslating } from './context';
import type { Pair } from './pairs';
import { Quotation } from './Quotation';
import classes from './translate.module.css';

interface SourceProps {
  pair: Pair;
  /** True if the source says something else than when it was translated. */
  isChanged: boolean;
}

/** The source of a field: a quotation, what changed in it, or, after one press, its input. */
export function Source({ pair, isChanged }: SourceProps) {
  const { isSourceReadOnly } = useTranslating();
  const [mode, setMode] = useState<'quotation' | 'changes' | 'input'>('quotation');
  const maySee = !isSourceReadOnly && !pair.definition.readonly;
  // An error in the source, or a step that is undone, is looked for by its input.
  useReveal((path) => maySee && isAtOrBelow(path, pair.source) && setMode('input'));
  const edit = () => {
    setMode('input');
    focusField(pair.source);
  };
  if (mode === 'input' && maySee) return <SourceInput pair={pair} onDone={() => setMode('quotation')} />;
  const hasRows = pair.definition.type === 'repeater' || pair.definition.type === 'blocks';
  const showsChanges = mode === 'changes' && isChanged;
  return (
    <div className={classes.source} data-source data-rows={hasRows || undefined}>
      <SourceHead pair={pair} isChanged={isChanged} {...(maySee && { onEdit: edit })} />
      {isChanged && (
        <Group gap="xs" mb={6}>
          <Changed isOpen={showsChanges} onToggle={() => setMode(showsChanges ? 'quotation' : 'changes')} />
        </Group>
      )}
      {showsChanges ? <SourceChanges pair={pair} /> : <Quoted pair={pair} />}
    </div>
  );
}

/** The mark of a source that changed since, and the way to see how. */
function Changed({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const { from } = useTranslating();
  return (
    <>
      <Badge color="amber" leftSection={<IconHistory size={12} aria-hidden />}>
        {t('entry.translate.changed', { language: localeName(from) })}
      </Badge>
      <Button size="compact-xs" variant="subtle" onClick={onToggle} aria-expanded={isOpen}>
        {t(isOpen ? 'entry.translate.hideChanges' : 'entry.changed.show')}
      </Button>
    </>
  );
}

/** The label of the source, with what can be done with it. */
function SourceHead({ pair, isChanged, onEdit }: SourceProps & { onEdit?: () => void }) {
  const { form, readOnly, locale } = useEditing();
  const { from } = useTranslating();
  const { name, definition, source, target } = pair;
  const label = fieldLabel(name, definition);
  const isEmpty = useFormState(form, ({ values }) => isEmptyValue(values[source]));
  const isSame = useFormState(form, ({ values }) => isSameValue(values[source], values[target]));
  const hint = fieldHints(definition);
  const copy = () => {
    const { [source]: value, [target]: before } = form.state().values;
    form.set(target, value);
    if (!isEmptyValue(before)) offerUndo(form, t('entry.translate.copied', { field: label, language: localeName(from) }));
    focusField(target);
  };
  return (
    <>
      <div className={classes.sourceHead}>
        <span className={classes.sourceLabel}>{t('general.inLocale', { label, locale: localeName(from) })}</span>
        <span className={classes.actions}>
          {onEdit && (
            <SmallButton icon={<IconPencil size={13} aria-hidden />} text={t('general.edit')} label={t('entry.translate.edit', { language: localeName(from) })} field={label} onClick={onEdit} />
          )}
          {!readOnly && !definition.readonly && !isEmpty && !isSame && (
            <SmallButton icon={<IconCopy size={13} aria-hidden />} label={t('entry.translate.copyTo', { language: localeName(locale) })} field={label} onClick={copy} />
          )}
        </span>
      </div>
      {/* It keeps the height of the hint beside, so that both texts begin on one line. */}
      {hint && !isChanged && <div className={classes.hint} aria-hidden>{hint}</div>}
    </>
  );
}

interface SmallButtonProps {
  icon: ReactNode;
  /** The visible text; the label without it. */
  text?: string;
  label: string;
  field: string;
  onClick: () => void;
}

function SmallButton({ icon, text, label, field, onClick }: SmallButtonProps) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" fw={500} leftSection={icon} onClick={onClick} aria-label={labelled(label, field)}>
      {text ?? label}
    </Button>
  );
}

/** The source as it is. */
function Quoted({ pair }: { pair: Pair }) {
  const { form } = useEditing();
  const { from } = useTranslating();
  const context = useSourceContext();
  const value = useFormState(form, ({ values }) => values[pair.source]);
  if (isEmptyValue(value)) return <Text size="sm" c="dimmed" fs="italic">{t('entry.translate.empty', { language: localeName(from) })}</Text>;
  return (
    <blockquote id={`${fieldId(pair.source)}-row`} className={classes.quotation}>
      <Quotation definition={pair.definition} value={value} context={context} target={pair.target} />
    </blockquote>
  );
}

/** The difference between the source as it was translated and as it is now. */
function SourceChanges({ pair }: { pair: Pair }) {
  const { form } = useEditing();
  const { sourceThen } = useTranslating();
  const context = useSourceContext();
  const value = useFormState(form, ({ values }) => values[pair.source]);
  const isUnsaved = useFormState(form, ({ changed }) => changed.has(pair.source));
  const { value: before, change } = sourceThen.get(pair.name) ?? {};
  const time = change?.at && formatRelative(change.at);
  const caption = isUnsaved
    ? t('entry.translate.changedHere')
    : time && (change.by ? t('entry.translate.changedBy', { time, name: change.by }) : t('entry.translate.changedAt', { time }));
  return (
    <div className={classes.quotation}>
      {caption && <Text size="xs" c="dimmed" mb={6}>{caption}</Text>}
      <ValueDiff definition={pair.definition} before={before} after={value} context={context} />
    </div>
  );
}

/** The source in its input. */
function SourceInput({ pair, onDone }: { pair: Pair; onDone: () => void }) {
  const { form, type } = useEditing();
  const { from } = useTranslating();
  const { name, source } = pair;
  const context = useSourceContext();
  const value = useFormState(form, ({ values }) => values[source]);
  const errors = useFormState(form, (state) => state.errors);
  const wrong = useMemo(() => errorsAt(errors, source), [errors, source]);
  const definition = useMemo(() => {
    const label = t('general.inLocale', { label: fieldLabel(name, pair.definition), locale: localeName(from) });
    return { ...pair.definition, label, required: from === type.root_locale && pair.definition.required };
  }, [name, pair.definition, from, type.root_locale]);
  return (
    <div className={classes.source}>
      <FieldInput path={source} name={name} definition={definition} value={value} onChange={(next) => form.set(source, next)} context={context} errors={wrong} />
      <Button size="compact-xs" variant="default" mt={6} onClick={onDone} aria-label={labelled(t('entry.translate.done'), definition.label)}>
        {t('entry.translate.done')}
      </Button>
    </div>
  );
}

function useSourceContext() {
  const { workspace, type, id } = useEditing();
  const { from } = useTranslating();
  return useMemo(() => ({ workspace, type: type.name, id, locale: from }), [workspace, type.name, id, from]);
}
