/** A value in a few words: for the rows of lists and for the heads of rows that are closed. */
import { type FieldDefinition, fieldLabel, selectOptions } from '~/api/fields';
import { formatDate, formatDateTime, formatNumber, labelled, t } from '~/i18n';
import { chosenValues } from './options';
import { fitsKind, innerFields, isEmpty, isObject } from './shape';

const LONGEST = 160;

/** The value as one line of plain text; empty when there is nothing. Takes values of any shape. */
export function summarizeValue(definition: FieldDefinition, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (!fitsKind(definition, value)) return cut(JSON.stringify(value) ?? '');
  switch (definition.type) {
    case 'markdown':
      return cut(plainMarkdown(String(value)));
    case 'html':
      return cut(String(value).replaceAll(/<[^>]*>/g, ' '));
    case 'number':
    case 'range':
      return formatNumber(value as number);
    case 'boolean':
      return value ? t('fields.yes') : t('fields.no');
    case 'select':
      return cut(optionLabels(definition, value).join(', '));
    case 'date':
      return formatDate(String(value));
    case 'datetime':
      return formatDateTime(String(value));
    case 'media':
    case 'relation':
      return cut([value].flat().join(', '));
    case 'json':
      return cut(typeof value === 'string' ? value : JSON.stringify(value));
    case 'object':
      return ofFields(definition.fields ?? {}, value);
    case 'repeater':
    case 'blocks':
      return ofRows(definition, value as unknown[]);
    default:
      return cut(String(value));
  }
}

/** The labels of the options that are chosen. */
export function optionLabels(definition: FieldDefinition, value: unknown): string[] {
  const labels = new Map(selectOptions(definition).map((it) => [it.value, it.label]));
  return chosenValues(value).map((it) => labels.get(it) ?? it);
}

/** Returns the text that sums up a row: its first text, else its first value. */
export function rowSummary(fields: Readonly<Record<string, FieldDefinition>>, row: unknown): string {
  return isObject(row) ? ofFields(fields, row) : cut(JSON.stringify(row) ?? '');
}

const TEXTS = new Set(['text', 'textarea', 'markdown', 'html', 'email', 'url', 'slug']);

function ofFields(fields: Readonly<Record<string, FieldDefinition>>, value: unknown): string {
  if (!isObject(value)) return '';
  // Ids say nothing to people; texts say most.
  const told = Object.entries(fields).filter(([name, it]) => it.type !== 'relation' && !isEmpty(value[name]));
  const [name, first] = told.find(([, it]) => TEXTS.has(it.type)) ?? told.find(([, it]) => it.type !== 'boolean') ?? told[0] ?? [];
  if (name === undefined || first === undefined) return '';
  const said = summarizeValue(first, value[name]);
  return first.type === 'boolean' ? labelled(fieldLabel(name, first), said) : said;
}

function ofRows(definition: FieldDefinition, rows: readonly unknown[]): string {
  if (rows.length === 0) return '';
  const [first] = rows;
  const said = rowSummary(innerFields(definition, first), first);
  const count = t('fields.rows.count', { count: rows.length });
  return said ? labelled(count, said) : count;
}

/** Markdown without its signs, roughly: it is only read, never kept. */
function plainMarkdown(text: string): string {
  return text
    .slice(0, 2000)
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s{0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replaceAll(/(\*\*|__|~~|`)/g, '')
    .replaceAll(/(^|\W)[*_](\S[^*_]*)[*_](?=\W|$)/g, '$1$2');
}

function cut(text: string): string {
  const line = text.slice(0, LONGEST * 4).replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).trimEnd()}…` : line;
}
