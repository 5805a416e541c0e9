import { Tooltip } from '@mantine/core';
import { formatDateTime, formatRelative } from '~/i18n';

/** A moment, told by its distance; the exact time on hover and focus. */
export function Time({ value }: { value: string | null | undefined }) {
  if (!value) return <>–</>;
  return (
    <Tooltip label={formatDateTime(value, 'long')}>
      <time dateTime={value}>{formatRelative(value)}</time>
    </Tooltip>
  );
}
