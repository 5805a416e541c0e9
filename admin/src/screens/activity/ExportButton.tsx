import { Button } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { dayOf } from '~/fields/dates';
import { t } from '~/i18n';
import { showDone, showError } from '~/ui/feedback';
import { saveFile } from '~/ui/save-file';
import { exportLines } from './data';
import type { Filters } from './rows';

/** Saves all that the filters let through as a file of JSON lines; pressed again, gives it up. */
export function ExportButton({ filters, workspace }: { filters: Filters; workspace: string }) {
  const [count, setCount] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async () => {
    const abort = new AbortController();
    running.current = abort;
    setCount(0);
    try {
      const pieces = await exportLines(filters, workspace, setCount, abort.signal);
      if (abort.signal.aborted) return;
      saveFile(pieces, `activity-${dayOf(new Date())}.ndjson`, 'application/x-ndjson');
      showDone(t('activity.exported', { count: pieces.reduce((sum, it) => sum + it.split('\n').length - 1, 0) }));
    } catch (error) {
      showError(error);
    } finally {
      setCount(undefined);
    }
  };
  return count === undefined ? (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void run()}>
      {t('activity.export')}
    </Button>
  ) : (
    <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={() => running.current?.abort()}>
      {t('activity.exporting', { count })}
    </Button>
  );
}
