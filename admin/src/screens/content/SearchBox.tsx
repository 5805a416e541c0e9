import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { memo, useRef } from 'react';
import { usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { onSearchKey, useLetterShortcuts } from '~/ui/shortcuts';
import { useSearchText } from '~/ui/useSearchText';

interface SearchBoxProps {
  value: string;
  label: string;
  onChange: (value: string) => void;
}

/** Searches as one types. What is typed stays here, so that no letter waits for the list. */
export const SearchBox = memo(function SearchBox({ value, label, onChange }: SearchBoxProps) {
  const { typed, setTyped, ask } = useSearchText(value, onChange);
  const input = useRef<HTMLInputElement>(null);
  const { letterShortcuts = true } = usePreferences();
  useLetterShortcuts({ '/': () => input.current?.focus() }, letterShortcuts);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={t('general.search')}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') ask();
        onSearchKey(event, () => setTyped(''));
      }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed ? (
          <CloseButton size="sm" aria-label={t('content.clearSearch')} onClick={() => setTyped('')} />
        ) : (
          letterShortcuts && <Kbd size="xs" aria-hidden visibleFrom="sm">/</Kbd>
        )
      }
    />
  );
});
