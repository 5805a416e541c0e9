/** The words for a filter. */
import { selectOptions } from '~/api/fields';
import type { Operator } from '~/api/operators';
import { formatDate, formatDateTime, t } from '~/i18n';
import { operatorName } from '~/ui/operators';
import { statusName } from '~/ui/status';
import { type ListField, USER_KEYS } from '../fields';
import type { Filter } from './filters';

/** `is any of`, `after`, `is empty`: in the words that suit the field. */
export function operatorLabel(field: ListField | undefined, operator: Operator, value?: Filter['value']): string {
  if (operator === 'empty') return t(value === 'false' ? 'content.op.filled' : 'content.op.empty');
  const kind = field?.definition.type;
  return operatorName(operator, kind === 'date' || kind === 'datetime');
}

/** The value of a filter in words; `titles` has what entries and users are called, by id. */
export function valueLabel(field: ListField | undefined, { operator, value }: Filter, titles: ReadonlyMap<string, string>): string {
  if (operator === 'empty') return '';
  return [value].flat().map((it) => oneLabel(field, it, titles)).join(', ');
}

function oneLabel(field: ListField | undefined, value: string, titles: ReadonlyMap<string, string>): string {
  if (!field) return value;
  if (field.key === 'status') return statusName(value);
  if (USER_KEYS.includes(field.key)) return titles.get(value) ?? value;
  switch (field.definition.type) {
    case 'select':
      return selectOptions(field.definition).find((it) => it.value === value)?.label ?? value;
    case 'boolean':
      return t(value === 'true' || value === '1' ? 'content.yes' : 'content.no');
    case 'date':
    case 'datetime':
      return value.includes('T') ? formatDateTime(value) : formatDate(value);
    case 'relation':
      return titles.get(value) ?? value;
    default:
      return value;
  }
}
