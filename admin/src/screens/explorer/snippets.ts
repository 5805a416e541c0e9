/** A request in several languages. The token is never in it: it is read from where programs keep such things. */
import { type ClientContext, clientOptions, clientSnippet, literal, readOptions } from './client-snippet';
import type { ApiCall, Endpoint } from './model';
import { parseQuery } from './query';

export interface Snippet {
  name: string;
  code: string;
}

interface Context extends Omit<ClientContext, 'operation' | 'withToken'> {
  call: ApiCall;
  endpoint: Endpoint;
}

/** The files that answers are kept in. */
const FILES = { bundle: 'content.ndjson', sync: 'changes.ndjson', picture: 'picture', atom: 'atom.xml', sitemap: 'sitemap.xml', typings: 'recto-types.ts' };

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const markup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const single = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function curl({ call, base, endpoint }: Context): string {
  const way = { json: '', text: '', file: '', lines: '--compressed ', events: '-N ' }[endpoint.answer];
  const parts = [`curl -g ${way}${call.method === 'GET' ? '' : `-X ${call.method} `}${shell(base + call.path)}`];
  if (call.withToken) parts.push('-H "Authorization: Bearer $RECTO_TOKEN"');
  if (call.body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${shell(call.body)}`);
  const file = FILES[endpoint.operation as keyof typeof FILES];
  if (file) parts.push(`-o ${file}`);
  return parts.join(' \\\n  ');
}

function fetchOptions({ call }: Context, token: string): string {
  const headers = [
    ...(call.withToken ? [`Authorization: \`Bearer \${${token}}\``] : []),
    ...(call.body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const options = [
    ...(call.method === 'GET' ? [] : [`method: "${call.method}"`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(call.body === undefined ? [] : [`body: JSON.stringify(${indent(call.body, '  ')})`]),
  ];
  return options.length === 0 ? '' : `, {\n${options.map((it) => `  ${it},\n`).join('')}}`;
}

/** The lines that read the answer, by its form. */
const READING: Record<Endpoint['answer'], string> = {
  json: 'const { data } = await response.json();',
  lines: `const lines = (await response.text()).trim().split("\\n").map((line) => JSON.parse(line));
const { cursor } = lines.pop(); // the last line; keep it for the next sync`,
  events: 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);',
  text: 'const text = await response.text();',
  file: 'const file = await response.blob();',
};

const REFUSED = 'if (!response.ok) throw new Error((await response.json()).error.message);';

function javascript(context: Context): string {
  const { call, base, endpoint } = context;
  const address = JSON.stringify(base + call.path);
  if (endpoint.answer === 'events' && !call.withToken) {
    return `const events = new EventSource(${address});
events.onmessage = ({ data }) => console.log(JSON.parse(data));
events.addEventListener("reset", () => console.log("Load the bundle again."));`;
  }
  const reading = endpoint.operation === 'json-feed' ? 'const feed = await response.json();' : READING[endpoint.answer];
  return `const response = await fetch(${address}${fetchOptions(context, 'process.env.RECTO_TOKEN')});
${REFUSED}
${reading}`;
}

/** Returns the type of `data`, and what of `types.ts` it is made of. */
function dataType({ target, endpoint, query }: Context): { type: string; from: string | undefined } {
  if (endpoint.method === 'DELETE') return { type: '{ ok: true }', from: undefined };
  const many = endpoint.operation === 'list' || endpoint.operation === 'view' ? '[]' : '';
  if (target.kind === 'media') return { type: `MediaItem${many}`, from: 'MediaItem' };
  if (target.kind !== 'type') return { type: `Record<string, unknown>${many}`, from: undefined };
  const { include = '', media } = endpoint.method === 'GET' ? parseQuery(query).single : {};
  const included = include.split(',').filter(Boolean).map((it) => JSON.stringify(it)).join(' | ');
  const more = media === 'full' ? [included || 'never', '"full"'] : included ? [included] : [];
  return { type: `Entry<${[JSON.stringify(target.type.name), ...more].join(', ')}>${many}`, from: 'Entry' };
}

function typescript(context: Context): string {
  const { call, base, workspace } = context;
  const { type, from } = dataType(context);
  const declared = from
    ? `// curl "${base}/api/v1/workspaces/${workspace}/types.ts" > recto-types.ts\nimport type { ${from} } from "./recto-types";\n\n`
    : '';
  return `${declared}const response = await fetch(${JSON.stringify(base + call.path)}${fetchOptions(context, 'process.env.RECTO_TOKEN')});
${REFUSED}
const { data } = (await response.json()) as { data: ${type} };`;
}

function rust({ call, base }: Context): string {
  const chain = [
    `.${call.method.toLowerCase()}(${JSON.stringify(base + call.path)})`,
    ...(call.withToken ? ['.bearer_auth(std::env::var("RECTO_TOKEN")?)'] : []),
    ...(call.body === undefined ? [] : [`.json(&serde_json::json!(${indent(call.body, '    ')}))`]),
    '.send()',
    '.await?',
    '.error_for_status()?',
    '.json()',
    '.await?;',
  ];
  return `let answer: serde_json::Value = reqwest::Client::new()\n${chain.map((it) => `    ${it}\n`).join('')}let data = &answer["data"];`;
}

function php({ call, base }: Context): string {
  const headers = [
    ...(call.withToken ? [`'Authorization: Bearer ' . getenv('RECTO_TOKEN')`] : []),
    ...(call.body === undefined ? [] : [`'Content-Type: application/json'`]),
  ];
  const options = [
    `'method' => '${call.method}'`,
    ...(headers.length > 0 ? [`'header' => [${headers.join(', ')}]`] : []),
    ...(call.body === undefined ? [] : [`'content' => ${single(call.body)}`]),
    `'ignore_errors' => true`,
  ];
  return `$context = stream_context_create(['http' => [
${options.map((it) => `    ${it},\n`).join('')}]]);
$answer = json_decode(file_get_contents(${single(base + call.path)}, false, $context), true, flags: JSON_THROW_ON_ERROR);
if (isset($answer['error'])) {
    throw new RuntimeException($answer['error']['message']);
}
$data = $answer['data'];`;
}

/** Returns a collection of a site that Astro builds; with filters, of the entries that match. */
function astro(context: Context): string | undefined {
  const { target, endpoint, query } = context;
  const options = readOptions(query);
  if (target.kind !== 'type' || endpoint.operation !== 'list' || !options) return undefined;
  const { name } = target.type;
  const isName = /^[a-z_]\w*$/i.test(name);
  const variable = isName ? name : 'collection';
  const client = (more: readonly string[] = []) =>
    clientOptions({ ...context, operation: 'list', withToken: context.call.withToken }, 'import.meta.env', more);
  // The loader gets all entries, and later only what changed.
  const { limit: _, locale, ...narrowed } = options;
  const isAll = Object.keys(narrowed).length === 0;
  const loader = isAll
    ? `rectoLoader(${client([`type: ${JSON.stringify(name)}`, ...(locale ? [`locale: ${literal(locale)}`] : [])])})`
    : `async () => {
    const { items } = await createClient(${client()}).list(${JSON.stringify(name)}, ${literal(options, '    ')});
    return items.map((entry) => ({ ...entry, id: entry.slug }));
  }`;
  return `// src/content.config.ts
import { defineCollection } from "astro:content";
import { ${isAll ? 'rectoLoader' : 'createClient'} } from "@recto/client${isAll ? '/astro' : ''}";

const ${variable} = defineCollection({
  loader: ${loader},
});

export const collections = { ${isName ? name : `${JSON.stringify(name)}: ${variable}`} };`;
}

/** Returns the lines by which a page, or a site, tells of the answer. */
function mention({ call, base, endpoint, target, types, id }: Context): Snippet | undefined {
  const address = base + call.path;
  const link = (type: string) => {
    const label = target.kind === 'feeds' ? (types.find((it) => it.name === id)?.label ?? id) : id;
    return { name: 'HTML', code: `<link rel="alternate" type="${type}" title="${markup(label)}" href="${markup(address)}">` };
  };
  switch (endpoint.operation) {
    case 'picture':
      return { name: 'HTML', code: `<img src="${markup(address)}" alt="">` };
    case 'atom':
      return link('application/atom+xml');
    case 'json-feed':
      return link('application/feed+json');
    case 'sitemap':
      return { name: 'robots.txt', code: `Sitemap: ${address}` };
    default:
      return undefined;
  }
}

/** Returns the request in every language that it makes sense in. */
export function snippetsOf(context: Context): Snippet[] {
  const { endpoint, call } = context;
  const client = clientSnippet({ ...context, operation: endpoint.operation, withToken: call.withToken });
  const loader = astro(context);
  const told = mention(context);
  const isEnvelope = endpoint.answer === 'json' && endpoint.operation !== 'json-feed';
  return [
    { name: 'curl', code: curl(context) },
    ...(told ? [told] : []),
    { name: 'JavaScript', code: javascript(context) },
    ...(client === undefined ? [] : [{ name: '@recto/client', code: client }]),
    ...(isEnvelope
      ? [{ name: 'TypeScript', code: typescript(context) }, { name: 'Rust', code: rust(context) }, { name: 'PHP', code: php(context) }]
      : []),
    ...(loader === undefined ? [] : [{ name: 'Astro', code: loader }]),
  ];
}
