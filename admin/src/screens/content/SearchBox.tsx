import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { onSearchKey, useLetterShortcuts } from '~/ui/shortcuts';

/** So long nothing may be typed before the server is asked. */
const QUIET = 250;

interface SearchBoxProps {
  value: string;
  label: string;
  onChange: (value: string) => void;
}

/** Searches as one types. What is typed stays here, so that no letter waits for the list. */
export const SearchBox = memo(function SearchBox({ value, label, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // What was asked for and is not in the address yet.
  const [asked, setAsked] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const { letterShortcuts = true } = usePreferences();
  useLetterShortcuts({ '/': () => input.current?.focus() }, letterShortcuts);
  if (known !== value) {
    setKnown(value);
    const own = asked.indexOf(value);
    setAsked(asked.slice(own + 1));
    // The address changed by itself: a view was opened, the filters were cleared.
    if (own < 0) setTyped(value);
  }
  const ask = useCallback(
    (wanted: string) => {
      setAsked((before) => [...before, wanted]);
      onChange(wanted);
    },
    [onChange],
  );
  const wanted = typed.trim();
  const current = asked.at(-1) ?? value;
  useEffect(() => {
    if (wanted === current) return undefined;
    const timer = setTimeout(() => ask(wanted), QUIET);
    return () => clearTimeout(timer);
  }, [wanted, current, ask]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={t('general.search')}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && wanted !== current) ask(wanted);
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
