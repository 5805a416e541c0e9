import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { withCommand } from '~/ui/keys';
import { onOpenPalette } from './palette/open';
import { rememberPage } from './palette/recent';

const Dialog = lazy(() => import('./palette/PaletteDialog'));

/** The command palette; all of it is loaded when it is first asked for. */
export function Palette() {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  useRecentPages();
  useEffect(() => {
    const open = () => {
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
  if (!wanted) return null;
  return (
    <Suspense>
      <Dialog opened={opened} onClose={() => setOpened(false)} />
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
