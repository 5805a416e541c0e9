import { useWindowEvent } from '@mantine/hooks';
import { type RefObject, useEffect, useState } from 'react';
import { api, call } from '~/api/client';
import { useEditing } from '../context';
import { bodyOf } from '../form/form';
import type { FormState } from '../form/store';
import { inputPath, parsePart } from './parts';
import { followForm } from './live';
import { previewedChange } from './usePreview';

/** The way in which the page in the frame takes part. */
interface Ready {
  /** The page that said so. */
  page: string;
  /** It shows what is typed, or reloads when it is saved. */
  mode: 'live' | 'reload';
  /** The parameters with which it reads entries. */
  query: string;
}

/** The parameters that say in which shape a page reads entries. */
const SHAPE = ['include', 'fields', 'locale', 'media', 'render'];

interface Live {
  /** The mode of the page; nothing if it does not take part. */
  mode: Ready['mode'] | undefined;
  /** The reason why what is typed cannot be shown, if it cannot. */
  refusal: unknown;
}

interface Framed {
  /** Names the page that is in the frame; another name stands for another page. */
  page: string;
  origin: string | undefined;
  /** Leads to the input of what was clicked. */
  onEdit: (path: string) => void;
}

/**
 * Talks to the page in a frame: shows it what is typed, and moves the keyboard to the input of what
 * is clicked there. Messages count only from the window of the frame and the origin of the target.
 */
export function useLive(frame: RefObject<HTMLIFrameElement | null>, { page, origin, onEdit }: Framed): Live {
  const { type, id, view, form, locale } = useEditing();
  const change = previewedChange(view);
  const [said, setReady] = useState<Ready>();
  // What another page said does not hold for this one.
  const ready = said?.page === page ? said : undefined;
  const [refusal, setRefusal] = useState<unknown>();
  useWindowEvent('message', (event: MessageEvent<unknown>) => {
    const message = event.data as { recto?: unknown; ready?: unknown; query?: unknown; edit?: unknown } | null;
    const window = frame.current?.contentWindow;
    if (!window || event.source !== window || event.origin !== origin || message?.recto !== 1) return;
    if (message.ready === 'live' || message.ready === 'reload') {
      // Another object each time: the page has been loaded anew.
      return setReady({ page, mode: message.ready, query: typeof message.query === 'string' ? message.query : '' });
    }
    const part = parsePart(message.edit);
    const isHere = part?.type === type.name && (part.entry === id || part.entry === form.state().entry?.slug);
    const path = part && isHere ? inputPath(type, part.path, locale) : undefined;
    // Somebody who clicks in the frame is in it: no page takes the keyboard away from elsewhere.
    if (path !== undefined && document.activeElement === frame.current) onEdit(path);
  });
  useEffect(() => {
    if (!ready || !origin || id === undefined) return undefined;
    const show = (entry: unknown, saved: boolean) => {
      if (ready.mode === 'reload' && !saved) return;
      frame.current?.contentWindow?.postMessage({ recto: 1, type: type.name, id, entry, saved }, origin);
    };
    const render = async (state: FormState) => {
      if (ready.mode === 'reload') return undefined;
      const asked = new URLSearchParams(ready.query);
      if (locale && !asked.has('locale')) asked.set('locale', locale);
      const given = Object.fromEntries([...asked].filter(([name]) => SHAPE.includes(name)));
      const answer = api.POST('/admin/api/preview/content/{collection}/{identifier}', {
        params: { path: { collection: type.name, identifier: id }, query: { change, ...given } },
        body: bodyOf(type, state.values, state.changed),
      });
      return (await call(answer)).data;
    };
    return followForm(form, { render, show, onRefused: setRefusal });
  }, [ready, origin, id, change, type, form, locale, frame]);
  return { mode: ready?.mode, refusal: ready && refusal };
}
