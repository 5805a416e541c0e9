import { Text } from '@mantine/core';
import { usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { openDialog } from '~/ui/dialogs';
import { later } from '~/ui/later';
import { useLetterShortcuts } from '~/ui/shortcuts';

const ShortcutsTable = later(() => import('./ShortcutsTable').then((it) => it.ShortcutsTable));

/** Shows the list of shortcuts. */
export function openShortcuts(): void {
  openDialog({ title: t('shell.shortcuts'), children: <Shortcuts /> });
}

function Shortcuts() {
  const { letterShortcuts = true } = usePreferences();
  return (
    <>
      <ShortcutsTable />
      {!letterShortcuts && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('shell.keys.off')}
        </Text>
      )}
    </>
  );
}

/** Has `?` show the list of shortcuts. */
export function useShortcutsKey(): void {
  const { letterShortcuts = true } = usePreferences();
  useLetterShortcuts({ '?': openShortcuts }, letterShortcuts);
}
