import { ActionIcon, Group, Portal, Progress, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { restoreLostFocus } from '~/ui/lost-focus';
import { uploads, useUploads } from './upload';
import { groupOf, isActive, progressOf, type Upload } from './upload-queue';
import { uploadSummary, wantsAlt } from './upload-summary';
import classes from './uploads.module.css';

// The first screen has no uploads.
const UploadList = lazy(() => import('./UploadList'));

/** The list of uploads, in a corner of the page. It closes by itself when all went well. */
export function UploadTray() {
  const list = useUploads();
  useClearWhenDone(list);
  return (
    <>
      <Announce text={list.length > 0 ? uploadSummary(list) : ''} />
      {list.length > 0 && <Tray list={list} />}
    </>
  );
}

function Tray({ list }: { list: readonly Upload[] }) {
  const [open, setOpen] = useState(true);
  const active = list.some(isActive);
  const tray = useRef<HTMLElement>(null);
  useFoldWhenIdle(list, tray, setOpen);
  // Asks before the page is left while files are on their way.
  useWindowEvent('beforeunload', (event) => active && event.preventDefault());
  const close = () => {
    restoreLostFocus();
    uploads.clear();
  };
  const Chevron = open ? IconChevronDown : IconChevronUp;
  return (
    <Portal>
      <section ref={tray} className={classes.tray} aria-label={t('media.uploads')}>
        <Group justify="space-between" wrap="nowrap" gap="xs" mb={6}>
          <Text size="sm" fw={600}>
            {uploadSummary(list)}
          </Text>
          <Group gap={2} wrap="nowrap">
            <ActionIcon size={24} aria-expanded={open} aria-label={t('media.upload.details')} onClick={() => setOpen(!open)}>
              <Chevron size={16} aria-hidden />
            </ActionIcon>
            {!active && (
              <ActionIcon size={24} aria-label={t('general.close')} onClick={close}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </Group>
        {active && <Progress value={progressOf(list) * 100} size="sm" mb={6} aria-label={t('media.uploads')} />}
        {open && (
          <Suspense fallback={null}>
            <UploadList list={list} />
          </Suspense>
        )}
      </section>
    </Portal>
  );
}

/** Makes the list small a moment after the last file, unless it is being used: what is below it is needed as well. */
function useFoldWhenIdle(list: readonly Upload[], tray: RefObject<HTMLElement | null>, setOpen: (open: boolean) => void): void {
  const active = list.some(isActive);
  const failed = list.some((it) => it.state === 'failed');
  useEffect(() => {
    if (failed || active) {
      setOpen(true);
      return undefined;
    }
    const fold = () => !tray.current?.matches(':focus-within, :hover') && setOpen(false);
    const timer = setTimeout(fold, 8000);
    return () => clearTimeout(timer);
  }, [active, failed, tray, setOpen]);
}

/** Clears the list a moment after all files have arrived. */
function useClearWhenDone(list: readonly Upload[]): void {
  const active = list.some(isActive);
  // What somebody still has to decide about, or to describe, stays.
  const open = list.some((it) => wantsAlt(it) || ['failed', 'existing'].includes(groupOf(it)));
  useEffect(() => {
    if (list.length === 0 || active || open) return undefined;
    const timer = setTimeout(() => uploads.clear(), 5000);
    return () => clearTimeout(timer);
  }, [list, active, open]);
}
