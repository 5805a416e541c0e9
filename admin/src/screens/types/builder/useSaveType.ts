import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, call } from '~/api/client';
import { ApiError, isApiError } from '~/api/error';
import type { UpdateEffects } from '~/api/schema';
import { contentTypesQuery } from '~/api/session';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { useSaveQueue } from '~/ui/save-queue';
import { useWorkspace } from '~/workspace';
import { inputOf, type Rename, renamesOf, type TypeDraft, type TypeInput, withIdentities } from '../draft/draft';
import { impactPoints } from '../draft/impact';
import { type Loaded, readType, typeQuery } from '../draft/type-query';

/** The question before a change is made. */
export type Question = { kind: 'impact' } | { kind: 'conflict'; migrations: readonly Rename[] };

interface SaveTypeProps {
  saved: TypeDraft;
  draft: TypeDraft;
  changes: Partial<TypeInput>;
  etag: string;
  isNew: boolean;
  /** Returns whether there is something to save, and the server may be asked. */
  isReady: () => boolean;
  /** It is on the disk; `again` if another save was asked for since it was sent. */
  onSaved: (state: Loaded, again: boolean) => void;
  /** The server's messages, by path. */
  onRefused: (fields: Readonly<Record<string, string>>) => void;
}

/** Returns the body of a change, with the renames that take values along. */
export function bodyOf(changes: Partial<TypeInput>, migrations: readonly Rename[]): Record<string, unknown> {
  return { ...changes, ...(migrations.length > 0 && { migrations }) };
}

/** Asks the server what a change would do. */
export async function effectsOf(name: string, body: Record<string, unknown>): Promise<UpdateEffects> {
  const params = { path: { collection: name }, query: { dry_run: true } };
  return (await call(api.PUT('/admin/api/content-types/{collection}', { params, body }))).data as UpdateEffects;
}

/** The draft to save, or the change that the answer to a question was about. */
interface Saving {
  answered?: { migrations: readonly Rename[]; force: boolean };
}

/** Saves a draft: at once when nothing that is there is affected, else after telling what is. */
export function useSaveType(props: SaveTypeProps) {
  const { saved, draft, changes, etag, isNew, isReady, onSaved, onRefused } = props;
  const [busy, setBusy] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const [failure, setFailure] = useState<{ error: unknown }>();
  const queries = useQueryClient();
  const workspace = useWorkspace();

  // True if a save was asked for while another one is under way.
  const again = useRef(false);

  /** Gives true if it was saved, and this page goes on. */
  const attempt = async ({ answered }: Saving): Promise<true | undefined> => {
    again.current = false;
    // Pressed twice, an answer counts once.
    if (answered ? !question : !isReady()) return undefined;
    setBusy(true);
    try {
      const isSaved = await (answered ? put(answered.migrations, answered.force) : start());
      return isSaved && !isNew ? true : undefined;
    } catch (error) {
      setQuestion(undefined);
      setFailure(undefined);
      if (isApiError(error, 'validation_failed') && Object.keys(error.fields).length > 0) onRefused(error.fields);
      else setFailure({ error });
      return undefined;
    } finally {
      setBusy(false);
    }
  };

  const done = async (answer: Loaded) => {
    const state = { ...answer, draft: withIdentities(answer.draft, draft) };
    setQuestion(undefined);
    setFailure(undefined);
    queries.setQueryData(typeQuery(workspace, state.draft.name).queryKey, state);
    // Before anything else is waited for: until then, the page takes what it saved for news.
    onSaved(state, again.current);
    showDone(t('types.saved', { type: state.draft.label }));
    await queries.invalidateQueries({ queryKey: contentTypesQuery(workspace).queryKey, exact: true });
    return true;
  };

  const create = async () => {
    const body = { ...inputOf(draft), name: draft.name };
    return done(await readType(api.POST('/admin/api/content-types', { body })));
  };

  const put = async (migrations: readonly Rename[], force: boolean) => {
    const params = { path: { collection: draft.name }, header: force ? {} : { 'If-Match': etag } };
    const body = bodyOf(changes, migrations);
    try {
      return await done(await readType(api.PUT('/admin/api/content-types/{collection}', { params, body })));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      setQuestion({ kind: 'conflict', migrations });
      return false;
    }
  };

  const start = async () => {
    if (isNew) return create();
    const migrations = renamesOf(draft);
    const effects = await effectsOf(draft.name, bodyOf(changes, migrations));
    const quiet = impactPoints(saved, draft, effects).length === 0 && effects.warnings.length === 0;
    if (quiet) return put(migrations, false);
    setQuestion({ kind: 'impact' });
    return false;
  };
  const queue = useSaveQueue(attempt);
  const enqueue = (saving: Saving) => {
    again.current = true;
    void queue(saving);
  };

  return {
    busy,
    question,
    /** The reason that the last save came to nothing, until one succeeds. */
    failure,
    dismiss: () => setQuestion(undefined),
    save: () => enqueue({}),
    /** Goes on after the question. */
    apply: (migrations: readonly Rename[], force = false) => enqueue({ answered: { migrations, force } }),
  };
}

/** The state of a type right now, past what is remembered of it. */
export async function fetchLoaded(name: string): Promise<Loaded> {
  return readType(api.GET('/admin/api/content-types/{collection}', { params: { path: { collection: name } } }));
}

