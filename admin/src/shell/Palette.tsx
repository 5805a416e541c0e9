import { useWindowEvent } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { loadChunk } from '~/fresh';
import { withCommand } from '~/ui/shortcuts';
import { PALETTE_EVENT } from './palette/open';
import { rememberPage } from './palette/recent';
import { useTypeAhead } from './palette/type-ahead';

const load = () => loadChunk(import('./palette/PaletteDialog'));
const Dialog = lazy(load);

/** The command palette; all of it is loaded once there is nothing else to do. */
export function Palette() {
  const [opened, setOpened] = useState(false);
  /** The number of times that it was opened: each time it starts without words, even while it still fades out. */
  const [openings, setOpenings] = useState(0);
  const before = useRef<Element>(null);
  const ahead = useTypeAhead();
  useRecentPages();
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), 1500);
    return () => clearTimeout(timer);
  }, []);
  const open = () => {
    if (opened) return;
    before.current = document.activeElement;
    setOpenings((count) => count + 1);
    setOpened(true);
    ahead.begin();
  };
  useWindowEvent(PALETTE_EVENT, open);
  useWindowEvent(
    'keydown',
    (event) => {
      if (!withCommand(event) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
      // In a text with links, these keys make one.
      if (event.target instanceof Element && event.target.closest('[data-links]')) return;
      event.preventDefault();
      event.stopPropagation();
      open();
    },
    // In the capture phase: editors inside the page have a use for these keys as well.
    true,
  );
  const close = () => {
    setOpened(false);
    ahead.take();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  if (openings === 0) return null;
  return (
    <Suspense>
      <Dialog key={openings} opened={opened} onClose={close} takeTyped={ahead.take} />
    </Suspense>
  );
}

/** Keeps in mind which pages were looked at. */
function useRecentPages(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        // The title is still that of the page that is left.
        const title = document.title.replace(/ · Recto$/, '');
        if (fromLocation && pathChanged && !fromLocation.pathname.endsWith('~new')) rememberPage({ title, path: fromLocation.pathname });
      }),
    [router],
  );
}
