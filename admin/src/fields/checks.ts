/** The checks of a value before the server is asked. The server has the last word. */
import type { FieldDefinition } from '~/api/fields';
import { formatNumber, t } from '~/i18n';

/** Returns the problem of a text, as far as its definition tells. */
export function checkText(definition: FieldDefinition, text: string): string | undefined {
  if (text === '') return undefined;
  const { min_length, max_length, pattern, type } = definition;
  const length = [...text].length;
  if (min_length !== undefined && length < min_length) return t('fields.check.short', { count: min_length });
  if (max_length !== undefined && length > max_length) return t('fields.check.long', { count: max_length });
  if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text.trim())) return t('fields.check.email');
  if (type === 'url' && !isAddress(text.trim())) return t('fields.check.url');
  return pattern !== undefined && matches(pattern, text) === false ? t('fields.check.pattern', { pattern }) : undefined;
}

/** Checks whether a text matches; nothing when the pattern is one that only the server understands. */
function matches(pattern: string, text: string): boolean | undefined {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

/** Checks for an address that the server accepts: of the web, of mail, of a phone, or a path of the site. */
export function isAddress(text: string): boolean {
  if (/\s/.test(text)) return false;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  return scheme === undefined || ['http', 'https', 'mailto', 'tel'].includes(scheme);
}

/** Returns the problem of a number. */
export function checkNumber(definition: FieldDefinition, value: number | null): string | undefined {
  if (value === null) return undefined;
  const { min, max, integer, decimals } = definition;
  if (integer && !Number.isInteger(value)) return t('fields.check.integer');
  if (min !== undefined && value < Number(min)) return t('fields.check.min', { min: formatNumber(Number(min)) });
  if (max !== undefined && value > Number(max)) return t('fields.check.max', { max: formatNumber(Number(max)) });
  if (decimals !== undefined && Math.abs(value - Number(value.toFixed(decimals))) > 1e-9) {
    return t('fields.check.decimals', { count: decimals });
  }
  return undefined;
}

/** Checks for a colour that the server accepts: `#36c`, `#3f6f66`, and with `alpha` also `#3f6f66cc`. */
export function isColour(text: string, alpha = false): boolean {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text) || (alpha && /^#[0-9a-f]{8}$/i.test(text));
}
