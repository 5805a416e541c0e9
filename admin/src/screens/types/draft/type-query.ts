import { queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import type { AdminContentType } from '~/api/schema';
import { draftOf, inputOf, type TypeDraft } from './draft';

/** A content type as the server has it, with what a change of it is conditional on. */
export interface Loaded {
  draft: TypeDraft;
  etag: string;
  entries: number;
  root_locale: string;
}

type Answer = { data?: { data: unknown }; error?: unknown; response: Response };

/** Reads a content type from an answer of the server. */
export async function readType(answer: Promise<Answer>): Promise<Loaded> {
  const { response, ...rest } = await answer;
  const body = await call(Promise.resolve({ ...rest, response }));
  const type = body.data as AdminContentType;
  const draft = draftOf(type as unknown as ContentTypeShape);
  return { draft, etag: response.headers.get('ETag') ?? '', entries: type.entries, root_locale: type.root_locale };
}

/** One content type; fetched by itself for its ETag. */
export function typeQuery(workspace: string, name: string) {
  return queryOptions({
    queryKey: queryKeys.type(workspace, name),
    queryFn: () => readType(api.GET('/admin/api/content-types/{collection}', { params: { path: { collection: name } } })),
  });
}

/** Checks whether two states of a type say the same. */
export function isSameType(a: TypeDraft, b: TypeDraft): boolean {
  return JSON.stringify(inputOf(a)) === JSON.stringify(inputOf(b));
}
