import { Kbd, Modal, Table, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { usePreferences } from '~/api/session';
import { type Key, t } from '~/i18n';
import { COMMAND, useLetterShortcuts } from '~/ui/shortcuts';

const OPEN = 'recto:shortcuts';

/** Shows the list of shortcuts. */
export function openShortcuts(): void {
  window.dispatchEvent(new Event(OPEN));
}

const SHORTCUTS: readonly (readonly [string, Key])[] = [
  [`${COMMAND} K`, 'shell.keys.palette'],
  [`${COMMAND} S`, 'shell.keys.save'],
  [`${COMMAND} Z`, 'shell.keys.undo'],
  [`${COMMAND} ⇧ Z`, 'shell.keys.redo'],
  ['?', 'shell.keys.help'],
  ['/', 'shell.keys.search'],
  ['c', 'shell.keys.create'],
  ['j', 'shell.keys.next'],
  ['k', 'shell.keys.previous'],
  ['x', 'shell.keys.select'],
  ['Enter', 'shell.keys.open'],
  ['e', 'shell.keys.edit'],
  ['g d', 'shell.keys.dashboard'],
  ['g c', 'shell.keys.changes'],
  ['g m', 'shell.keys.media'],
  ['g t', 'shell.keys.types'],
  ['g u', 'shell.keys.users'],
  ['Alt ↑ / ↓', 'shell.keys.move'],
  ['⇧ ↑ / ↓', 'shell.keys.selectRows'],
  [`${COMMAND} C / X / V`, 'shell.keys.clip'],
  [`${COMMAND} D`, 'shell.keys.duplicate'],
  ['Del', 'shell.keys.remove'],
  ['Esc', 'shell.keys.close'],
];

/** The list of shortcuts, which `?` opens. */
export function ShortcutsHelp() {
  const [opened, { open, close }] = useDisclosure(false);
  const { letterShortcuts = true } = usePreferences();
  useLetterShortcuts({ '?': open }, letterShortcuts);
  useWindowEvent(OPEN, open);
  return (
    <Modal opened={opened} onClose={close} title={t('shell.shortcuts')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <Table>
        <caption className="visually-hidden">{t('shell.shortcuts')}</caption>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, does]) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row" w={150} fw={400} style={{ whiteSpace: 'nowrap' }}>
                {keys.split(' ').map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{t(does)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!letterShortcuts && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('shell.keys.off')}
        </Text>
      )}
    </Modal>
  );
}
