import { Kbd, Table } from '@mantine/core';
import { type Key, t } from '~/i18n';
import { COMMAND } from '~/ui/shortcuts';

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
  ['Alt PgUp / PgDn', 'shell.keys.translate'],
  ['Esc', 'shell.keys.close'],
];

/** All shortcuts, each with what it does. */
export function ShortcutsTable() {
  return (
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
  );
}
