/** The sources that can be imported, in the order in which they are offered. */
export const SOURCES = ['table', 'wordpress', 'markdown', 'strapi', 'directus', 'contentful', 'php'] as const;
export type Source = (typeof SOURCES)[number];

/** The endings of the files of each source. */
export const ENDINGS: Readonly<Record<Source, readonly string[]>> = {
  table: ['.csv', '.tsv', '.json', '.ndjson', '.jsonl'],
  wordpress: ['.xml', '.zip', '.tar', '.gz', '.tgz'],
  markdown: ['.zip', '.tar', '.gz', '.tgz', '.md', '.markdown', '.mdx'],
  strapi: ['.tar', '.gz', '.tgz', '.zip'],
  directus: ['.zip', '.tar', '.gz', '.tgz'],
  contentful: ['.json', '.zip', '.tar', '.gz', '.tgz'],
  php: ['.zip', '.tar', '.gz', '.tgz'],
};

/** Returns true if a file can be one of this source. */
export function fitsSource(source: Source, name: string): boolean {
  return ENDINGS[source].some((it) => name.toLowerCase().endsWith(it));
}

export type TableFormat = 'csv' | 'json' | 'ndjson';

/** Returns the notation of a table by the name of its file. */
export function tableFormat(name: string): TableFormat {
  const lower = name.toLowerCase();
  if (lower.endsWith('.ndjson') || lower.endsWith('.jsonl')) return 'ndjson';
  return lower.endsWith('.json') ? 'json' : 'csv';
}
