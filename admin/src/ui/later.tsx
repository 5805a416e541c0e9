import { type ComponentType, useEffect, useRef, useState } from 'react';
import { loadChunk } from '~/fresh';
import { showError } from './feedback';

/** Milliseconds after which a page has what it began with. */
const CALM_AFTER = 1500;

/**
 * A part of a screen that is loaded when it is first shown: a dialog that most people never open. It
 * shows nothing until it is there, and a message if it cannot be had; the screen stays as it is. In a
 * dialog that was open before its content came, the focus goes where the content wants it.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [isLate] = useState(!Part);
    const marker = useRef<HTMLSpanElement>(null);
    useEffect(() => {
      if (Part) return;
      loadChunk(load()).then((it) => {
        loaded = it;
        setPart(() => it);
      }, showError);
    }, [Part]);
    useEffect(() => {
      if (Part && isLate) marker.current?.closest('[role=dialog]')?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    }, [Part, isLate]);
    if (!Part) return null;
    return (
      <>
        {isLate && <span ref={marker} hidden />}
        <Part {...props} />
      </>
    );
  };
}

/**
 * Returns true once there is nothing else to do, for what is better there before it is needed, or once
 * it was needed earlier.
 */
export function useCalm(isNeeded = false): boolean {
  const [calm, setCalm] = useState(isNeeded);
  if (isNeeded && !calm) setCalm(true);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), CALM_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return calm;
}
