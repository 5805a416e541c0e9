import { ActionIcon, Input, Popover, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '~/i18n';
import { TYPE_ICONS, TypeIcon } from '~/ui/TypeIcon';
import classes from '../types.module.css';

interface IconPickerProps {
  value: string;
  onChange: (icon: string) => void;
  disabled: boolean;
}

/** Chooses the icon of a content type or a block type. */
export function IconPicker({ value, onChange, disabled }: IconPickerProps) {
  const [opened, setOpened] = useState(false);
  return (
    <div>
      <Input.Label component="div">{t('types.icon')}</Input.Label>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus shadow="md">
        <Popover.Target>
          <ActionIcon
            variant="default"
            size={36}
            display="flex"
            disabled={disabled}
            onClick={() => setOpened(!opened)}
            aria-label={value ? t('types.iconIs', { icon: spoken(value) }) : t('types.iconChoose')}
          >
            <TypeIcon name={value} size={20} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p="xs">
          <Choices
            value={value}
            onPick={(icon) => {
              onChange(icon);
              setOpened(false);
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

/** The name of an icon as words, for screen readers and tooltips. */
function spoken(icon: string): string {
  return icon.replaceAll('-', ' ');
}

function Choices({ value, onPick }: { value: string; onPick: (icon: string) => void }) {
  const [search, setSearch] = useState('');
  const names = Object.keys(TYPE_ICONS).filter((it) => spoken(it).includes(spoken(search.trim().toLowerCase())));
  return (
    <>
      <TextInput
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={t('types.iconSearch')}
        aria-label={t('types.iconSearch')}
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        mb="xs"
      />
      {names.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('general.noMatch')}
        </Text>
      )}
      <div className={classes.icons}>
        {names.map((name) => (
          <ActionIcon
            key={name}
            size={34}
            variant={name === value ? 'light' : 'subtle'}
            color={name === value ? 'ink' : 'gray'}
            aria-label={spoken(name)}
            aria-pressed={name === value}
            title={spoken(name)}
            onClick={() => onPick(name)}
          >
            <TypeIcon name={name} size={20} />
          </ActionIcon>
        ))}
      </div>
    </>
  );
}
