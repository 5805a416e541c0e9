import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { arriving } from '~/fresh';
import { withCommand } from '~/ui/keys';
import { onOpenPalette } from './palette/open';
import { rememberPage } from './palette/recent';

const load = () => arriving(import('./palette/PaletteDialog'));
const Dialog = lazy(load);

/** The command palette; all of it is loaded once there is nothing else to do. */
export function Palette() {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const before = useRef<Element>(null);
  useRecentPages();
  useEffect(() => {
    // What is typed while it is on its way would be lost.
    const timer = setTimeout(() => void load().catch(() => {}), 1500);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const open = () => {
      before.current = document.activeElement;
      setWanted(true);
      setOpened(true);
    };
    const onKey = (event: KeyboardEvent) => {
      if (!withCommand(event) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      event.stopPropagation();
      open();
    };
    // In the capture phase: editors inside the page have a use for these keys as well.
    window.addEventListener('keydown', onKey, true);
    const stop = onOpenPalette(open);
    return () => {
      window.removeEventListener('keydown', onKey, true);
      stop();
    };
  }, []);
  const close = () => {
    setOpened(false);
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  if (!wanted) return null;
  return (
    <Suspense>
      <Dialog opened={opened} onClose={close} />
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
