import { ActionIcon, Button, Input, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import type { DraftField } from '../draft/draft';
import { setDefinition } from '../draft/edit';
import { editableOptions, type Option, writtenOptions } from '../draft/options';
import { moveKeys, Sortable, useSortableItem } from '../Sortable';
import classes from '../types.module.css';

/** The options of a select: value and label each, in the order in which they are offered. */
export function OptionsEditor({ field }: { field: DraftField }) {
  const { change, defects, readOnly } = useBuilder();
  const [options, setOptions] = useState(() => editableOptions(field.definition));
  const list = useRef<HTMLUListElement>(null);
  const apply = (next: readonly Option[]) => {
    setOptions(next);
    change((it) => setDefinition(it, field.uid, { options: writtenOptions(next) }));
  };
  const focus = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('input[data-label]')[index]?.focus());
  const add = () => {
    apply([...options, { uid: `${Date.now()}-${options.length}`, value: '', label: '', touched: false, raw: undefined }]);
    focus(options.length);
  };
  const move = (uid: string, to: number) => {
    const option = options.find((it) => it.uid === uid);
    if (option && to >= 0 && to < options.length) apply(options.filter((it) => it !== option).toSpliced(to, 0, option));
  };
  const error = defectOf(defects, field.uid, 'options');
  return (
    <Input.Wrapper label={t('types.set.options')} labelElement="div" description={t('types.optionsHint')} error={error}>
      <Sortable ids={options.map((it) => it.uid)} labelOf={(uid) => options.find((it) => it.uid === uid)?.label ?? ''} onMove={move}>
        <ul className={classes.options} ref={list} aria-label={t('types.set.options')}>
          {options.map((option, index) => (
            <OptionRow
              key={option.uid}
              option={option}
              index={index}
              onChange={(next) => apply(options.with(index, next))}
              onMove={(to) => move(option.uid, to)}
              onEnter={add}
              onRemove={() => {
                apply(options.toSpliced(index, 1));
                focus(Math.max(0, index - 1));
              }}
            />
          ))}
        </ul>
      </Sortable>
      {options.length === 0 && (
        <Text size="sm" c="dimmed" my={4}>
          {t('types.noOptions')}
        </Text>
      )}
      {!readOnly && (
        <Button variant="default" size="xs" mt={6} leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('types.addOption')}
        </Button>
      )}
    </Input.Wrapper>
  );
}

interface OptionRowProps {
  option: Option;
  index: number;
  onChange: (option: Option) => void;
  onMove: (to: number) => void;
  onEnter: () => void;
  onRemove: () => void;
}

function OptionRow({ option, index, onChange, onMove, onEnter, onRemove }: OptionRowProps) {
  const { readOnly } = useBuilder();
  const name = option.label || option.value || String(index + 1);
  const keys = moveKeys(index, onMove);
  const { item, handle } = useSortableItem(option.uid, name, readOnly, keys);
  const setLabel = (label: string) =>
    onChange({ ...option, label, ...(!option.touched && { value: label.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-') }) });
  return (
    <li {...item} className={classes.option}>
      {handle}
      <TextInput
        flex={1}
        value={option.label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        onKeyDown={(event) => {
          keys(event);
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onEnter();
        }}
        placeholder={t('types.label')}
        aria-label={t('types.optionLabel', { place: index + 1 })}
        data-label
      />
      <TextInput
        flex={1}
        value={option.value}
        onChange={(event) => onChange({ ...option, value: event.currentTarget.value, touched: true })}
        onKeyDown={keys}
        placeholder={t('types.value')}
        aria-label={t('types.optionValue', { place: index + 1 })}
        classNames={{ input: classes.mono }}
      />
      {!readOnly && (
        <ActionIcon onClick={onRemove} aria-label={t('types.removeNamed', { name })}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
