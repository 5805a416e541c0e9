/** A request as code with `@recto/client`, which has functions for reading. */
import type { ContentTypeShape } from '~/api/fields';
import { takesMany } from '~/api/operators';
import type { Operation, Target } from './model';
import { parseQuery } from './query';

export interface ClientContext {
  /** The address of the server. */
  base: string;
  workspace: string;
  target: Target;
  types: readonly ContentTypeShape[];
  operation: Operation;
  /** The query of the request. */
  query: string;
  id: string;
  withToken: boolean;
}

type Literal = string | number | boolean | readonly Literal[] | { readonly [key: string]: Literal };

/** The width at which code is broken into lines. */
const LINE_MAX = 80;

/** Returns a value as JavaScript, in one line if it fits. */
export function literal(value: Literal, indent = ''): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? (value as readonly Literal[]).map((it) => literal(it, inner))
    : Object.entries(value).map(([key, it]) => `${/^[a-z_$][\w$]*$/i.test(key) ? key : JSON.stringify(key)}: ${literal(it, inner)}`);
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (!line.includes('\n') && indent.length + line.length <= LINE_MAX) return line;
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.map((it) => `${inner}${it},\n`).join('')}${indent}${close}`;
}

/** Returns the options of `get` and `list`; nothing if the query says more than they can. */
export function readOptions(query: string): Record<string, Literal> | undefined {
  const { single, filters, rest } = parseQuery(query);
  const { include, fields, locale, media, render, sort, limit, offset, q, ...others } = single;
  if (rest.length > 0 || Object.values(others).some(Boolean)) return undefined;
  const filter: Record<string, Record<string, Literal>> = {};
  for (const { field, operator, value } of filters) {
    const conditions = (filter[field] ??= {});
    // One condition of each sort is all that an object can hold.
    if (operator in conditions) return undefined;
    conditions[operator] = takesMany(operator) ? value.split(',') : operator === 'empty' ? value === 'true' : value;
  }
  const conditions = Object.entries(filter).map(([field, it]): [string, Literal] => {
    const { eq, ...more } = it;
    return [field, eq !== undefined && Object.keys(more).length === 0 ? eq : it];
  });
  return {
    ...(conditions.length > 0 && { filter: Object.fromEntries(conditions) }),
    ...(include && { include: include.split(',') }),
    ...(fields && { fields: fields.split(',') }),
    ...(locale && { locale }),
    ...(media === 'full' && { media }),
    ...(render === 'html' && { render }),
    ...(sort && { sort }),
    ...(q && { q }),
    ...(limit && { limit: Number(limit) }),
    ...(offset && { offset: Number(offset) }),
  };
}

/** Returns the options of a client; `env` is the object with the variables of the environment. */
export function clientOptions({ base, workspace, withToken }: ClientContext, env: string, more: readonly string[] = []): string {
  const parts = [
    `url: ${JSON.stringify(base)}`,
    ...(workspace === 'default' ? [] : [`workspace: ${JSON.stringify(workspace)}`]),
    ...(withToken ? [`token: ${env}.RECTO_TOKEN`] : []),
    ...more,
  ];
  return `{ ${parts.join(', ')} }`;
}

/** Returns the request as code; nothing where the client has no function for it. */
export function clientSnippet(context: ClientContext): string | undefined {
  const call = clientCall(context);
  if (call === undefined) return undefined;
  const { base, workspace, operation } = context;
  const names = operation === 'picture' ? 'createClient, image' : 'createClient';
  return `// curl "${base}/api/v1/workspaces/${workspace}/types.ts" > recto-types.ts
import { ${names} } from "@recto/client";
import type { ContentTypes } from "./recto-types";

const recto = createClient<ContentTypes>(${clientOptions(context, 'process.env')});

${call}`;
}

function clientCall({ target, types, operation, query, id }: ClientContext): string | undefined {
  const options = readOptions(query);
  const read = options && Object.keys(options).length > 0 ? `, ${literal(options)}` : '';
  if (target.kind === 'type') {
    const { name, singleton } = target.type;
    if (!options) return undefined;
    if (operation === 'list') return `const { items, total } = await recto.list(${JSON.stringify(name)}${read});`;
    if (operation === 'get') return `const entry = await recto.get(${JSON.stringify(name)}, ${JSON.stringify(singleton ? name : id)}${read});`;
    return undefined;
  }
  if (operation === 'picture') return imageCall(types);
  return operation === 'bundle' || operation === 'sync' ? syncCall(operation, query) : undefined;
}

/** Returns code for a copy of everything; for `sync`, also for what changed since. */
function syncCall(operation: 'bundle' | 'sync', query: string): string | undefined {
  const { since: _, wait, types, media, ...others } = parseQuery(query).single;
  if (Object.values(others).some(Boolean)) return undefined;
  const scope = { ...(types && { types: types.split(',') }), ...(media === 'full' && { media }) };
  const given = (options: Literal & object) => (Object.keys(options).length > 0 ? [literal(options)] : []);
  const first = `let copy = await recto.sync(${given(scope).map((it) => `null, ${it}`).join('')}); // everything, the first time`;
  if (operation === 'bundle') return first;
  const later = ['copy', ...given({ ...scope, ...(wait && { wait: Number(wait) }) })].join(', ');
  return `${first}\ncopy = await recto.sync(${later}); // what changed since`;
}

/** Returns code for a picture of an entry in all sizes, from which the browser chooses. */
function imageCall(types: readonly ContentTypeShape[]): string | undefined {
  for (const { name, fields, singleton } of types) {
    const [field] = Object.entries(fields).find(([, it]) => it.type === 'media') ?? [];
    if (field === undefined) continue;
    const id = singleton ? name : 'id-or-slug';
    return `const entry = await recto.get(${JSON.stringify(name)}, ${JSON.stringify(id)}, { media: "full" });
const [picture] = entry?.data${/^[a-z_$][\w$]*$/i.test(field) ? `.${field}` : `[${JSON.stringify(field)}]`} ?? [];
// src, srcset, sizes, width, height and alt for an <img>
const attributes = picture && image(picture, "(min-width: 60rem) 40rem, 100vw");`;
  }
  return undefined;
}
