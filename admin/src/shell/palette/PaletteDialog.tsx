import { Kbd, Loader, Modal, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { type Item, useActionItems, useAllResultsItem, usePlaceItems, useRecentItems } from './items';
import { matchItems } from '~/ui/match';
import { optionsInputProps, placeAfterKey } from '~/ui/option-keys';
import classes from './Palette.module.css';
import { PaletteList } from './PaletteList';
import { useSearchResults } from './useFound';

/** The number of the page's own items that show beside the search results. */
const OWN_MAX = 7;

interface PaletteProps {
  onClose: () => void;
  /** Returns what was typed before the input had the focus, once. */
  takeTyped: () => string;
}

/** The command palette: go anywhere, do anything, from the keyboard. */
export default function PaletteDialog({ opened, ...props }: PaletteProps & { opened: boolean }) {
  const { onClose } = props;
  return (
    <Modal.Root opened={opened} onClose={onClose} returnFocus={false} size={600} yOffset="12dvh" transitionProps={{ duration: 80 }} classNames={{ content: classes.content }}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label={t('palette.title')} radius="lg">
        <Palette {...props} />
      </Modal.Content>
    </Modal.Root>
  );
}

function Palette({ onClose, takeTyped }: PaletteProps) {
  const list = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const { items, searching } = useItems(query);
  const at = Math.min(active, items.length - 1);
  const run = (item: Item) => {
    onClose();
    // Once the focus is back where it was, so that what follows may take it.
    requestAnimationFrame(item.run);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    // While an input method is composing, its keys are its own.
    if (event.nativeEvent.isComposing) return;
    const next = placeAfterKey(event.key, at, items.length);
    const item = items[at];
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && item) run(item);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  const found = items.length > 0;
  return (
    <>
      <div className={classes.head}>
        {searching ? <Loader size={18} aria-hidden /> : <IconSearch size={18} aria-hidden />}
        <input
          className={classes.input}
          value={query}
          placeholder={t('shell.search')}
          aria-label={t('palette.title')}
          {...optionsInputProps(list, at, items.length)}
          data-autofocus
          // Of all dialogs, Escape closes this one alone: a drawer below would take the key as well.
          data-mantine-stop-propagation="true"
          onFocus={() => {
            const typed = takeTyped();
            if (typed) setQuery((it) => it + typed);
          }}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <PaletteList id={list} items={items} active={at} query={query} onActive={setActive} onRun={run} />
      {!found && !searching && (
        <Text c="dimmed" ta="center" py="xl" px="md">
          {t('palette.nothing', { query: query.trim() })}
        </Text>
      )}
      <div className={classes.foot} aria-hidden="true">
        <Hint keys="↑ ↓" text={t('palette.move')} />
        <Hint keys="Enter" text={t('palette.choose')} />
        <Hint keys="Esc" text={t('palette.leave')} />
      </div>
      <Announce text={searching ? '' : t('palette.count', { count: items.length })} />
    </>
  );
}

function Hint({ keys, text }: { keys: string; text: string }) {
  return (
    <span>
      {keys.split(' ').map((key) => (
        <Kbd key={key} size="xs" mr={3}>
          {key}
        </Kbd>
      ))}
      {text}
    </span>
  );
}

/** All that is offered for some words; where one was and may want to go without any. */
function useItems(query: string): { items: Item[]; searching: boolean } {
  const recent = useRecentItems();
  const places = usePlaceItems();
  const actions = useActionItems();
  const { items: found, searching } = useSearchResults(query);
  const all = useAllResultsItem(query);
  if (query.trim() === '') return { items: [...recent.slice(0, 5), ...places, ...actions], searching };
  const own = matchItems([...places, ...actions], query).slice(0, OWN_MAX);
  const of = (group: Item['group']) => own.filter((it) => it.group === group);
  return { items: [...of('places'), ...of('actions'), ...found, ...(searching || found.length > 0 ? [all] : [])], searching };
}
