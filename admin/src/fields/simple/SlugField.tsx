import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { t } from '~/i18n';
import { fieldProps } from '../Frame';
import type { InputProps } from '../types';
import { slugify } from '../slug';
import { useTextValue } from './TextField';

/** The readable part of an address; becomes one when the input is left. */
export function SlugField(props: InputProps) {
  const { sourceValue, readOnly, onChange } = props;
  const { value, events } = useTextValue(props);
  const made = slugify(sourceValue ?? '');
  return (
    <TextInput
      {...fieldProps(props)}
      value={value}
      {...events}
      onBlur={() => {
        const tidy = slugify(value);
        if (value !== '' && tidy !== '' && tidy !== value) onChange(tidy);
      }}
      placeholder={made || props.definition.placeholder}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      rightSection={
        !readOnly &&
        made !== '' &&
        made !== value && (
          <Tooltip label={t('fields.slug.make', { slug: made })}>
            <ActionIcon onClick={() => onChange(made)} aria-label={t('fields.slug.make', { slug: made })}>
              <IconWand size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      }
    />
  );
}
