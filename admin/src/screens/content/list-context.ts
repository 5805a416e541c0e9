import { createContext, useContext } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import type { ListField } from './fields';

/** The facts that every part of a list needs. */
export interface ListContext {
  workspace: string;
  type: ContentTypeShape;
  fields: readonly ListField[];
  /** The locale that values are shown in; empty when the type is not localized. */
  locale: string;
  users: ReadonlyMap<string, string>;
  may: Rights;
}

/** The permissions that the reader has for at least some entries of the type. */
export interface Rights {
  create: boolean;
  update: boolean;
  publish: boolean;
  remove: boolean;
  restore: boolean;
  history: boolean;
  /** To change saved views that are for everybody. */
  shareViews: boolean;
}

const Context = createContext<ListContext | undefined>(undefined);

export const ListProvider = Context.Provider;

/** The list that a component belongs to. */
export function useList(): ListContext {
  const list = useContext(Context);
  if (!list) throw new Error('This component belongs into a content list.');
  return list;
}
