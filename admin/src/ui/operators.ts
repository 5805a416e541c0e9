/** The words for the operators of filters. */
import { type Operator, takesMany } from '~/api/operators';
import { type Key, t } from '~/i18n';

/** `is any of`, `is after`: an operator in the words that suit days and times, or all other values. */
export function operatorName(operator: Operator, isDate: boolean): string {
  return t(isDate && !takesMany(operator) ? (`content.op.date.${operator}` as Key) : `content.op.${operator}`);
}
