import { useEffect, useState } from 'react';
import type { Translator } from '~/i18n/server';
import { serverMessages } from '~/i18n/translation';

const asItIs: Translator['message'] = (message) => message;

/** Translates messages of the server that are part of an answer. Refusals are translated already. */
export function useFromServer(): Translator['message'] {
  const [translator, setTranslator] = useState<Translator>();
  useEffect(() => {
    let isShown = true;
    void serverMessages().then((it) => isShown && it && setTranslator(it));
    return () => {
      isShown = false;
    };
  }, []);
  return translator?.message ?? asItIs;
}
