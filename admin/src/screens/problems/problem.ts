/** The texts about a problem beside the server's own words. */
import type { ContentTypeShape } from '~/api/fields';
import type { Problem, ProblemKind } from '~/api/schema';
import type { Key } from '~/i18n';

/** The server's list of problems. */
export interface ProblemsAnswer {
  data: readonly Problem[];
  meta: { total: number; accepted: number };
}

/** The content that readers of the API get meanwhile. */
type Served = 'lastGood' | 'nothing' | 'file' | 'asIs' | 'emptyRelation' | 'noMedia' | 'oldestSlug' | 'madeSlug' | 'oneSingleton' | 'draft' | 'first' | 'defaultWorkspace' | 'before' | 'withoutKey';

const SERVED: Readonly<Partial<Record<ProblemKind, Served>>> = {
  invalid_json: 'lastGood',
  duplicate_key: 'lastGood',
  merge_conflict: 'lastGood',
  unreadable: 'lastGood',
  not_a_file: 'lastGood',
  too_large: 'lastGood',
  broken_schema: 'lastGood',
  unsupported_format: 'before',
  invalid_name: 'nothing',
  orphan_base: 'nothing',
  sync_conflict_copy: 'nothing',
  unknown_type: 'nothing',
  bom: 'file',
  id_mismatch: 'file',
  case_collision: 'first',
  schema_violation: 'asIs',
  unknown_key: 'withoutKey',
  dangling_relation: 'emptyRelation',
  missing_media: 'noMedia',
  duplicate_slug: 'oldestSlug',
  invalid_slug: 'madeSlug',
  second_singleton: 'oneSingleton',
  invalid_status: 'draft',
  missing_workspace: 'defaultWorkspace',
};

type KindKey = Extract<Key, `problems.kind.${string}`>;

/** The sentence that names a kind of problem; of a kind that only `recto check` reports, a general one. */
export function kindKey(kind: ProblemKind): KindKey {
  return kind in SERVED ? (`problems.kind.${kind}` as KindKey) : 'problems.kind.other';
}

/** Returns the text about what readers of the API get meanwhile, where that is known. */
export function servedKey(problem: Pick<Problem, 'kind' | 'path' | 'actions'>): Key | undefined {
  const served = SERVED[problem.kind];
  if (!served) return undefined;
  // Files of the installation are not served, and of a new file there is no version before.
  if (served === 'lastGood' && problem.path.startsWith('system/')) return 'problems.served.lastGoodSystem';
  return served === 'lastGood' && !problem.actions.includes('restore-last-good') ? 'problems.served.unknown' : `problems.served.${served}`;
}

/** The place in the interface that shows the content of a file. */
export type Place = { kind: 'entry'; workspace: string; type: string; id: string } | { kind: 'type'; workspace: string; type: string };

/** The place of a problem, as far as there is one: what cannot be read now has to have been there before. */
export function placeOf(problem: Pick<Problem, 'kind' | 'path' | 'workspace' | 'actions'>, types: readonly ContentTypeShape[]): Place | undefined {
  const { path, workspace } = problem;
  const [, folder = '', type = '', id] = /^workspaces\/[^/]+\/(content|schemas)\/([\w-]+?)(?:\/([\w-]+))?\.json$/.exec(path) ?? [];
  if (!workspace || !types.some((it) => it.name === type)) return undefined;
  if (SERVED[problem.kind] === 'lastGood' && !problem.actions.includes('restore-last-good')) return undefined;
  if (folder === 'schemas' && id === undefined) return { kind: 'type', workspace, type };
  return folder === 'content' && id !== undefined ? { kind: 'entry', workspace, type, id } : undefined;
}

/** A line cut at the place that is meant: before it, the character, and after it. */
export function splitAt(line: string, column: number | null): readonly [string, string, string] {
  if (column === null) return [line, '', ''];
  const characters = [...line];
  const at = Math.min(Math.max(column - 1, 0), characters.length);
  return [characters.slice(0, at).join(''), characters[at] ?? '', characters.slice(at + 1).join('')];
}
