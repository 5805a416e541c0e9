import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { Portals } from './portals';

/** The content of all elements of an editor that have some. */
export function PortalHost({ portals }: { portals: Portals }) {
  const contents = useSyncExternalStore(portals.subscribe, portals.snapshot);
  return [...contents].map(([element, content]) => createPortal(content, element, keyOf(element)));
}

const KEYS = new WeakMap<HTMLElement, string>();
let count = 0;

function keyOf(element: HTMLElement): string {
  const known = KEYS.get(element);
  if (known !== undefined) return known;
  count += 1;
  KEYS.set(element, String(count));
  return String(count);
}
