import { lazy, Suspense } from 'react';
import { type FieldDefinition, fieldLabel } from '~/api/fields';
import { asList, isEmptyValue, toText } from '~/diff/values';
import { FieldValue } from '~/fields/FieldValue';
import { blockType, fitsKind, innerFields, isObject } from '~/fields/shape';
import { rowSummary } from '~/fields/summary';
import type { FieldContext } from '~/fields/types';
import { isVisible } from '~/fields/visible';
import { t } from '~/i18n';
import { useEditing } from '../context';
import { useFormState } from '../form/store';
import { matchRows } from './rows';
import { useAlignedRows } from './useAlignedRows';
import classes from './translate.module.css';

const QuotedMarkdown = lazy(() => import('./QuotedMarkdown').then((it) => ({ default: it.QuotedMarkdown })));

interface QuotationProps {
  definition: FieldDefinition;
  value: unknown;
  context: FieldContext;
  /** True within a row or an object, where Markdown stands as it is written. */
  isInner?: boolean;
  /** The slot of the translation, whose rows the quoted ones stand beside. */
  target?: string;
}

/** A whole value to be read, with its text to be selected. */
export function Quotation({ definition, value, context, isInner = false, target }: QuotationProps) {
  const plain = <p className={classes.text} lang={context.locale} dir="auto">{toText(value)}</p>;
  if (!fitsKind(definition, value)) return plain;
  switch (definition.type) {
    case 'text':
    case 'textarea':
    case 'email':
    case 'url':
    case 'slug':
    case 'json':
      return plain;
    case 'markdown':
    case 'html':
      return isInner ? plain : (
        <Suspense fallback={plain}>
          <QuotedMarkdown text={String(value)} isHtml={definition.type === 'html'} locale={context.locale} fallback={plain} />
        </Suspense>
      );
    case 'object':
      return <Parts definition={definition} value={value} context={context} />;
    case 'repeater':
    case 'blocks':
      return <Rows definition={definition} value={value} context={context} {...(target !== undefined && { target })} />;
    default:
      return <FieldValue definition={definition} value={value} context={context} />;
  }
}

/** The fields of an object or a row that have a value. */
function Parts({ definition, value, context }: QuotationProps) {
  const record = isObject(value) ? value : {};
  const fields = Object.entries(innerFields(definition, value)).filter(
    ([name, it]) => !it.hidden && !isEmptyValue(record[name]) && isVisible(it, (other) => record[other]),
  );
  return (
    <dl className={classes.parts}>
      {fields.map(([name, it]) => (
        <div key={name}>
          <dt>{fieldLabel(name, it)}</dt>
          <dd>
            <Quotation definition={it} value={record[name]} context={context} isInner />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Rows, each beside its translation where there are two columns, and as closed as that. */
function Rows({ definition, value, context, target = '' }: QuotationProps) {
  const { form } = useEditing();
  const rows = asList(value);
  const translated = useFormState(form, ({ values }) => values[target]);
  const { ref, places } = useAlignedRows(target || undefined, matchRows(rows, asList(translated)));
  return (
    <ol className={classes.rows} ref={ref}>
      {rows.map((row, at) => {
        const { space = 0, isFolded = false } = places[at] ?? {};
        return (
          // Rows that are only read have no identity beside their place.
          <li key={at} data-folded={isFolded || undefined} style={space > 0 ? { marginTop: space } : undefined}>
            <span className={classes.rowName}>{rowName(definition, row, at + 1)}</span>
            {isFolded ? (
              <span className={classes.summary} lang={context.locale}>{rowSummary(innerFields(definition, row), row)}</span>
            ) : (
              <Parts definition={definition} value={row} context={context} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

function rowName(definition: FieldDefinition, row: unknown, number: number): string {
  const type = blockType(row);
  if (type === undefined) return t('revisions.diff.item', { number });
  return t('revisions.diff.block', { number, name: definition.blocks?.[type]?.label ?? fieldLabel(type, undefined) });
}
