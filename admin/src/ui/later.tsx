import { type ComponentType, useEffect, useState } from 'react';
import { loadChunk } from '~/fresh';
import { showError } from './feedback';

/**
 * A part of a screen that is loaded when it is first shown: a dialog that most people never open. It
 * shows nothing until it is there, and a message if it cannot be had; the screen stays as it is.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      loadChunk(load()).then((it) => {
        loaded = it;
        setPart(() => it);
      }, showError);
    }, [Part]);
    return Part ? <Part {...props} /> : null;
  };
}
