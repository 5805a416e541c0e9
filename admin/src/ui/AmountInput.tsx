import { Box, Group, NativeSelect, NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { decimalSign } from '~/fields/numbers';
import { language, t } from '~/i18n';
import { type Unit, unitOf } from './amounts';

interface AmountInputProps {
  label: string;
  description?: ReactNode;
  /** In the smallest unit. */
  value: number | null;
  /** Receives `null` when the input is emptied. */
  onChange: (value: number | null) => void;
  /** From small to large. */
  units: readonly Unit[];
  placeholder?: string;
  error?: ReactNode;
  disabled?: boolean | undefined;
}

/** A number with a unit to choose: 3 hours, 2 GiB. */
export function AmountInput({ label, description, value, onChange, units, placeholder, error, disabled }: AmountInputProps) {
  const [chosen, choose] = useState<string>();
  // An empty input stays empty while it is typed in, also where the value has to be a number.
  const [emptied, setEmptied] = useState(false);
  const unit = units.find((it) => it.label === chosen) ?? unitOf(value, units);
  if (!unit) return null;
  const set = (count: number, size: number) => onChange(Math.round(count * size));
  return (
    <NumberInput
      label={label}
      description={description}
      value={emptied || value === null ? '' : value / unit.size}
      onChange={(typed) => {
        choose(unit.label);
        setEmptied(typed === '');
        if (typed === '') onChange(null);
        else if (typeof typed === 'number') set(typed, unit.size);
      }}
      onBlur={() => setEmptied(false)}
      min={0}
      decimalScale={2}
      decimalSeparator={decimalSign(language())}
      clampBehavior="none"
      hideControls
      placeholder={placeholder}
      error={error}
      disabled={disabled}
      inputContainer={beside(
        <NativeSelect
          aria-label={t('fields.unitOf', { label })}
          value={unit.label}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            const next = units.find((it) => it.label === currentTarget.value);
            choose(currentTarget.value);
            if (next && value !== null) set(value / unit.size, next.size);
          }}
          data={units.map((it) => it.label)}
        />,
      )}
    />
  );
}

/** Returns the function that puts an input beside the choice of its unit, so that label and error belong to the input. */
function beside(unit: ReactNode) {
  return (input: ReactNode) => (
    <Group gap={6} wrap="nowrap" align="flex-end" maw={280}>
      <Box flex={1}>{input}</Box>
      {unit}
    </Group>
  );
}
