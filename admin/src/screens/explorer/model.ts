/** The requests to the public API of a workspace, and their form. */
import type { ContentTypeShape } from '~/api/fields';
import { parseQuery, queryText } from './query';
import { sampleBody } from './sample';

/** The object of requests: a content type, the media, or the content types themselves. */
export type Target = { kind: 'type'; type: ContentTypeShape } | { kind: 'media' } | { kind: 'types' };

/** The names for the media and the content types in addresses of this page. */
export const MEDIA = '~media';
export const TYPES = '~types';

export function targetKey(target: Target): string {
  return target.kind === 'type' ? target.type.name : target.kind === 'media' ? MEDIA : TYPES;
}

/** The first query of a list, so that nobody asks for everything by mistake. */
export const FIRST_QUERY = 'limit=10';

/** The state of the page when something is chosen; nothing stands for the overview. */
export function initialState(target: string): Record<string, string> {
  return target ? { type: target, query: FIRST_QUERY } : {};
}

export const OPERATIONS = ['list', 'get', 'create', 'update', 'delete'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Endpoint {
  operation: Operation;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the workspace; `{id}` stands for the identifier. */
  path: string;
  /** The action that a token has to grant; reads need none where the content is public. */
  action: string;
  resource: string;
}

const METHODS = { list: 'GET', get: 'GET', create: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

/** The requests that there are about something. */
export function endpointsOf(target: Target): Endpoint[] {
  const make = (operation: Operation, path: string, action: string, resource: string): Endpoint => ({
    operation, method: METHODS[operation], path, action, resource,
  });
  if (target.kind === 'types') {
    return [
      make('list', '/content-types', 'schema.read', 'schema:*'),
      make('get', '/content-types/{id}', 'schema.read', 'schema:*'),
    ];
  }
  if (target.kind === 'media') {
    return [
      make('list', '/media', 'media.read', 'media:*'),
      make('update', '/media/{id}/meta', 'media.update', 'media:*'),
      make('delete', '/media/{id}', 'media.delete', 'media:*'),
    ];
  }
  const { name, singleton } = target.type;
  const resource = `content:${name}:*`;
  const one = singleton ? `/content/${name}/${name}` : `/content/${name}/{id}`;
  const all = [
    make('list', `/content/${name}`, 'content.read', resource),
    make('get', one, 'content.read', resource),
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
  workspace: string;
  endpoint: Endpoint;
  /** The query as it is in the address of the page. */
  query: string;
  id: string;
  body: string;
  withToken: boolean;
}

export function callOf({ workspace, endpoint, query, id, body, withToken }: CallParts): ApiCall {
  const path = endpoint.path.replace('{id}', id ? encodeURIComponent(id) : '{id}');
  const search = isWriting(endpoint) ? '' : queryText(parseQuery(query));
  return {
    method: endpoint.method,
    path: `/api/v1/workspaces/${workspace}${path}${search && `?${search}`}`,
    body: takesBody(endpoint) ? body : undefined,
    withToken,
  };
}

/** Checks whether the request still lacks whom it is about. */
export function isMissingId(endpoint: Endpoint, id: string): boolean {
  return endpoint.path.includes('{id}') && id === '';
}

/** Returns the first body of a request. */
export function firstBody(target: Target, endpoint: Endpoint): string {
  if (!takesBody(endpoint)) return '';
  const value =
    target.kind === 'type' ? sampleBody(target.type, endpoint.operation === 'create') : { alt: 'Hills at dawn', title: 'Hills' };
  return JSON.stringify(value, null, 2);
}
