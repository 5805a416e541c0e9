/** A request in several languages. The token is never in it: it is read from where programs keep such things. */
import type { ApiCall, Target } from './model';
import { entryInterface, toPascalCase } from './typescript';

export interface Snippet {
  name: string;
  code: string;
}

interface Context {
  call: ApiCall;
  /** The address of the API for others: `https://cms.example.org`. */
  base: string;
  target: Target;
  /** True if the answer is a list. */
  isList: boolean;
}

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const single = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function curl({ call, base }: Context): string {
  const parts = [`curl -g ${call.method === 'GET' ? '' : `-X ${call.method} `}${shell(base + call.path)}`];
  if (call.withToken) parts.push('-H "Authorization: Bearer $RECTO_TOKEN"');
  if (call.body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${shell(call.body)}`);
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

function javascript(context: Context): string {
  return `const response = await fetch(${JSON.stringify(context.base + context.call.path)}${fetchOptions(context, 'process.env.RECTO_TOKEN')});
if (!response.ok) throw new Error((await response.json()).error.message);
const { data } = await response.json();`;
}

function typescript(context: Context): string {
  const { target, isList, call } = context;
  const name = target.kind === 'type' ? toPascalCase(target.type.name) : 'Item';
  const deletes = call.method === 'DELETE';
  const declared = deletes ? '' : target.kind === 'type' ? `${entryInterface(target.type)}\n\n` : 'type Item = Record<string, unknown>;\n\n';
  const answer = deletes ? '{ ok: true }' : isList ? `${name}[]` : name;
  return `${declared}const response = await fetch(${JSON.stringify(context.base + call.path)}${fetchOptions(context, 'process.env.RECTO_TOKEN')});
if (!response.ok) throw new Error((await response.json()).error.message);
const { data } = (await response.json()) as { data: ${answer} };`;
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

/** A collection of a site that Astro builds: all entries that the request gives. */
function astro(context: Context): string | undefined {
  const { target, call, isList, base } = context;
  if (target.kind !== 'type' || !isList) return undefined;
  const headers = call.withToken ? ', {\n      headers: { Authorization: `Bearer ${import.meta.env.RECTO_TOKEN}` },\n    }' : '';
  const name = target.type.name;
  return `// src/content.config.ts
import { defineCollection } from "astro:content";

${entryInterface(target.type)}

const ${/^[a-z_]\w*$/i.test(name) ? name : `collection${toPascalCase(name)}`} = defineCollection({
  loader: async () => {
    const response = await fetch(${JSON.stringify(base + call.path)}${headers});
    if (!response.ok) throw new Error((await response.json()).error.message);
    const { data } = (await response.json()) as { data: ${toPascalCase(name)}[] };
    return data.map((entry) => ({ ...entry, id: entry.slug }));
  },
});

export const collections = { ${/^[a-z_]\w*$/i.test(name) ? name : `${JSON.stringify(name)}: collection${toPascalCase(name)}`} };`;
}

/** The request in every language that it makes sense in. */
export function snippetsOf(context: Context): Snippet[] {
  const loader = astro(context);
  return [
    { name: 'curl', code: curl(context) },
    { name: 'JavaScript', code: javascript(context) },
    { name: 'TypeScript', code: typescript(context) },
    { name: 'Rust', code: rust(context) },
    { name: 'PHP', code: php(context) },
    ...(loader === undefined ? [] : [{ name: 'Astro', code: loader }]),
  ];
}
