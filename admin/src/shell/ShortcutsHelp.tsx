import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { usePreferences } from '~/api/session';
import { later, useCalm } from '~/ui/later';
import { useLetterShortcuts } from '~/ui/shortcuts';

const OPEN = 'recto:shortcuts';

/** Shows the list of shortcuts. */
export function openShortcuts(): void {
  window.dispatchEvent(new Event(OPEN));
}

const ShortcutsDialog = later(() => import('./overlays').then((it) => it.ShortcutsDialog));

/** The list of shortcuts, which `?` opens. */
export function ShortcutsHelp() {
  const [opened, { open, close }] = useDisclosure(false);
  const { letterShortcuts = true } = usePreferences();
  useLetterShortcuts({ '?': open }, letterShortcuts);
  useWindowEvent(OPEN, open);
  return useCalm(opened) ? <ShortcutsDialog opened={opened} letters={letterShortcuts} onClose={close} /> : null;
}
