/** The draft that every part of the builder works on, and the ways to change it. */
import { createContext, useContext } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import type { Defects } from './draft/defects';
import type { TypeDraft } from './draft/draft';

export interface Builder {
  workspace: string;
  draft: TypeDraft;
  /** The type on the server, or the start of a new one. */
  saved: TypeDraft;
  isNew: boolean;
  /** True if the user may look only. */
  readOnly: boolean;
  /** All content types of the workspace. */
  types: readonly ContentTypeShape[];
  defects: Defects;
  change: (edit: (draft: TypeDraft) => TypeDraft) => void;
  /** Shows a field or a block type in the panel, or closes it. */
  open: (uid: string | undefined) => void;
}

const Context = createContext<Builder | undefined>(undefined);

export const BuilderProvider = Context.Provider;

export function useBuilder(): Builder {
  const builder = useContext(Context);
  if (!builder) throw new Error('This is a part of the type builder.');
  return builder;
}

/** The id of the element that a node of a list is, so that the focus finds it. */
export function rowId(uid: string): string {
  return `row-${uid}`;
}
