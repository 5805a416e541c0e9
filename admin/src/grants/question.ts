/** A question of who may do what, as the box for testing access asks it. */
import type { AccessQuestion } from '~/api/schema';
import { areaOf, isWorkspaceArea } from './actions';

export type SubjectKind = 'me' | 'user' | 'role' | 'token';

export interface Question {
  kind: SubjectKind;
  /** The id of the user, role or token. */
  who: string;
  action: string;
  workspace: string;
  /** A content type, where the action is about entries or types. */
  type: string;
  /** An entry or a file; none is all of them. */
  item: string;
  status: string;
  own: boolean;
}

/** Returns the resource of the question, as grants name it. */
export function resourceOf({ action, workspace, type, item }: Question): string {
  const area = areaOf(action);
  if (!area) return '*';
  if (!isWorkspaceArea(area)) return `${area}:*`;
  const named = item.trim() || '*';
  const thing = area === 'content' ? `content:${type}:${named}` : area === 'schema' ? `schema:${type || '*'}` : `media:${named}`;
  return `workspace:${workspace}:${thing}`;
}

/** Checks whether everything is there that has to be known. */
export function canAsk({ kind, who, action, type }: Question): boolean {
  return action !== '' && (kind === 'me' || who !== '') && (areaOf(action) !== 'content' || type !== '');
}

/** The question as the server takes it. */
export function toAccessQuestion(question: Question): AccessQuestion {
  const { kind, who, action, status, own } = question;
  const one = areaOf(action);
  return {
    ...(kind !== 'me' && { [kind]: who }),
    action,
    resource: resourceOf(question),
    ...(one === 'content' && status && { status }),
    ...((one === 'content' || one === 'media') && own && { own }),
  };
}
