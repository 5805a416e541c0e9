/** The facts about the edited entry that all parts of the editor share. */
import { createContext, useContext } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import type { EntryForm } from './form/store';
import type { Rights } from './rights';

export interface Editing {
  workspace: string;
  type: ContentTypeShape;
  /** Nothing while the entry is new. */
  id: string | undefined;
  form: EntryForm;
  rights: Rights;
  /** The version that is edited: {@link LIVE}, or the change that it is proposed in. */
  view: string;
  /** True if what a change has of the entry is shown, and the entry was deleted; nothing until it is known. */
  liveIsGone: boolean | undefined;
  /** True if nothing can be changed. */
  readOnly: boolean;
  /** The language that is edited; empty when the type has none. */
  locale: string;
  /** The language that it is translated from, side by side. */
  compare: string | undefined;
  /** Shows another language, another one beside it or only some of its fields, the entry as JSON, or its preview on a site. */
  show: (change: {
    locale?: string;
    compare?: string | undefined;
    only?: string | undefined;
    tab?: 'json' | undefined;
    preview?: string | undefined;
  }) => void;
  /** Brings the input of a path of the server's into view and gives it the keyboard. */
  focus: (path: string) => void;
}

const Context = createContext<Editing | undefined>(undefined);
export const EditingProvider = Context.Provider;

export function useEditing(): Editing {
  const editing = useContext(Context);
  if (!editing) throw new Error('a part of the editor stands outside of it');
  return editing;
}
