/** The requests to the public API of a workspace, and their form. */
import type { ContentTypeShape } from '~/api/fields';
import { parseQuery, queryText } from './query';
import { sampleBody } from './sample';

/** The objects of requests that every workspace has, besides its content types. */
export const COMMON = ['media', 'types', 'bundle', 'sync', 'events', 'feeds', 'sitemap', 'typings'] as const;
export type Common = (typeof COMMON)[number];

/** The object of requests: a content type, or what every workspace has. */
export type Target = { kind: 'type'; type: ContentTypeShape } | { kind: Common };

/** The name of what every workspace has, in addresses of this page; no type has such a name. */
export function commonKey(common: Common): string {
  return `~${common}`;
}

export function targetKey(target: Target): string {
  return target.kind === 'type' ? target.type.name : commonKey(target.kind);
}

/** Returns the target of an address of this page. */
export function targetOf(key: string, types: readonly ContentTypeShape[]): Target | undefined {
  const kind = COMMON.find((it) => commonKey(it) === key);
  if (kind) return { kind };
  const type = types.find((it) => it.name === key);
  return type && { kind: 'type', type };
}

/** The first query of a list, so that nobody asks for everything by mistake. */
export const FIRST_QUERY = 'limit=10';

/** The state of the page when something is chosen; nothing stands for the overview. */
export function initialState(target: string): Record<string, string> {
  if (target === '') return {};
  const isList = COMMON.every((it) => commonKey(it) !== target || it === 'media' || it === 'types');
  return { type: target, ...(isList && { query: FIRST_QUERY }) };
}

export const OPERATIONS = [
  'list', 'get', 'view', 'create', 'update', 'delete', 'picture', 'bundle', 'sync', 'events', 'atom', 'json-feed', 'sitemap', 'typings',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The form of an answer: one JSON value, a JSON value in each line, a stream of events, text, or a file. */
export type AnswerForm = 'json' | 'lines' | 'events' | 'text' | 'file';

/** The permissions that a read takes: by the text that explains them. */
type Rights = 'entries' | 'types' | 'files' | 'all' | 'events' | 'public';

export interface Endpoint {
  operation: Operation;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From the root of the server; `{id}` stands for the identifier. */
  path: string;
  /** The action that a token has to grant; reads need none where the content is public. */
  action: string;
  resource: string;
  answer: AnswerForm;
  rights: Rights;
}

const METHODS: Partial<Record<Operation, Endpoint['method']>> = { create: 'POST', update: 'PATCH', delete: 'DELETE' };

/** Returns the requests that there are about something in a workspace. */
export function endpointsOf(target: Target, workspace: string): Endpoint[] {
  const root = `/api/v1/workspaces/${workspace}`;
  const make = (operation: Operation, path: string, action: string, resource: string, more: Partial<Endpoint> = {}): Endpoint => ({
    operation, method: METHODS[operation] ?? 'GET', path: root + path, action, resource, answer: 'json', rights: 'entries', ...more,
  });
  const build = (operation: Operation, path: string, answer: AnswerForm, rights: Rights) =>
    make(operation, path, 'content.read', 'content:*', { answer, rights });
  switch (target.kind) {
    case 'type':
      return entryEndpoints(target.type, make);
    case 'types': {
      const rights = { rights: 'types' } as const;
      return [
        make('list', '/content-types', 'schema.read', 'schema:*', rights),
        make('get', '/content-types/{id}', 'schema.read', 'schema:*', rights),
      ];
    }
    case 'media':
      return [
        make('list', '/media', 'media.read', 'media:*', { rights: 'files' }),
        make('picture', '', 'media.read', 'media:*', { path: `/media/${workspace}/{id}`, answer: 'file', rights: 'files' }),
        make('update', '/media/{id}/meta', 'media.update', 'media:*'),
        make('delete', '/media/{id}', 'media.delete', 'media:*'),
      ];
    case 'bundle':
    case 'sync':
      return [build(target.kind, `/${target.kind}`, 'lines', 'all')];
    case 'events':
      return [build('events', '/events', 'events', 'events')];
    case 'feeds':
      return [build('atom', '/feeds/{id}/atom.xml', 'text', 'public'), build('json-feed', '/feeds/{id}/feed.json', 'json', 'public')];
    case 'sitemap':
      return [build('sitemap', '/sitemap.xml', 'text', 'public')];
    case 'typings':
      return [make('typings', '/types.ts', 'schema.read', 'schema:*', { answer: 'text', rights: 'types' })];
  }
}

function entryEndpoints(
  { name, singleton, views = {} }: ContentTypeShape,
  make: (operation: Operation, path: string, action: string, resource: string) => Endpoint,
): Endpoint[] {
  const resource = `content:${name}:*`;
  const one = singleton ? `/content/${name}/${name}` : `/content/${name}/{id}`;
  const all = [
    make('list', `/content/${name}`, 'content.read', resource),
    make('get', one, 'content.read', resource),
    ...(Object.keys(views).length > 0 ? [make('view', `/views/${name}/{id}`, 'content.read', resource)] : []),
    make('create', `/content/${name}`, 'content.create', resource),
    make('update', one, 'content.update', resource),
    make('delete', one, 'content.delete', resource),
  ];
  // Of a single page there is no list worth asking for.
  return singleton ? all.slice(1) : all;
}

export function isWriting(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET';
}

export function takesBody(endpoint: Endpoint): boolean {
  return endpoint.method === 'POST' || endpoint.method === 'PATCH';
}

/** Checks whether a token is needed in any case. */
export function needsToken(endpoint: Endpoint, target: Target): boolean {
  return isWriting(endpoint) || (target.kind === 'type' && target.type.visibility === 'private');
}

/** A request, ready to be sent or to be written down in some language. */
export interface ApiCall {
  method: Endpoint['method'];
  /** Without the base: `/api/v1/workspaces/default/content/posts?limit=10`. */
  path: string;
  /** JSON, as it was typed. */
  body: string | undefined;
  /** True if a token goes along. */
  withToken: boolean;
}

interface CallParts {
  endpoint: Endpoint;
  /** The query as it is in the address of the page. */
  query: string;
  id: string;
  body: string;
  withToken: boolean;
}

export function callOf({ endpoint, query, id, body, withToken }: CallParts): ApiCall {
  const path = endpoint.path.replace('{id}', id ? encodeURIComponent(id) : '{id}');
  const search = isWriting(endpoint) ? '' : queryText(parseQuery(query));
  return {
    method: endpoint.method,
    path: `${path}${search && `?${search}`}`,
    body: takesBody(endpoint) ? body : undefined,
    withToken,
  };
}

/** Checks whether the request still lacks what it is about: an identifier, or the cursor of what is there already. */
export function isIncomplete(endpoint: Endpoint, id: string, query: string): boolean {
  if (endpoint.operation === 'sync') return !parseQuery(query).single.since;
  return endpoint.path.includes('{id}') && id === '';
}

/** Returns the first body of a request. */
export function firstBody(target: Target, endpoint: Endpoint): string {
  if (!takesBody(endpoint)) return '';
  const value =
    target.kind === 'type' ? sampleBody(target.type, endpoint.operation === 'create') : { alt: 'Hills at dawn', title: 'Hills' };
  return JSON.stringify(value, null, 2);
}
