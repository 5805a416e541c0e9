import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Puts the focus on the heading of a page that was gone to, so that screen readers tell where one
 * is and the next Tab begins there. A page that puts the focus somewhere itself is left alone.
 */
export function useFocusOnArrival(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const main = document.getElementById('content');
        const { activeElement } = document;
        const elsewhere = activeElement?.closest('[role=dialog]') || (main !== activeElement && main?.contains(activeElement));
        if (!main || elsewhere) return;
        const heading = main.querySelector<HTMLElement>('h1');
        heading?.setAttribute('tabindex', '-1');
        (heading ?? main).focus({ preventScroll: true });
      }),
    [router],
  );
}
