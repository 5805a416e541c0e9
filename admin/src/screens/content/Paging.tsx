import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe, type TablerIcon } from '@tabler/icons-react';
import { formatNumber, t } from '~/i18n';
import { PAGE_SIZES } from './list-state';

interface PagingProps {
  offset: number;
  limit: number;
  /** Not given while it is unknown. */
  total: number | undefined;
  onPage: (offset: number) => void;
  onSize: (limit: number) => void;
}

/** The place in the list, and the ways to other pages. */
export function Paging({ offset, limit, total: known, onPage, onSize }: PagingProps) {
  const total = known ?? 0;
  const last = Math.max(0, (Math.ceil(total / limit) - 1) * limit);
  const sizes = [...new Set([...PAGE_SIZES, limit])].sort((a, b) => a - b);
  return (
    <Group component="nav" aria-label={t('content.pages')} justify="space-between" gap="sm" mt="sm">
      <NativeSelect
        size="xs"
        aria-label={t('content.pageSize')}
        value={limit}
        onChange={(event) => onSize(Number(event.currentTarget.value))}
        data={sizes.map((size) => ({ value: String(size), label: t('content.perPage', { count: size }) }))}
      />
      <Group gap={4}>
        <Text size="sm" c="dimmed" mr="xs">
          {known !== undefined && rangeText(offset, limit, known)}
        </Text>
        <Step icon={IconChevronLeftPipe} label={t('content.firstPage')} to={0} disabled={offset === 0} onPage={onPage} />
        <Step icon={IconChevronLeft} label={t('content.previousPage')} to={Math.max(0, offset - limit)} disabled={offset === 0} onPage={onPage} />
        <Step icon={IconChevronRight} label={t('content.nextPage')} to={offset + limit} disabled={offset + limit >= total} onPage={onPage} />
        <Step icon={IconChevronRightPipe} label={t('content.lastPage')} to={last} disabled={offset + limit >= total} onPage={onPage} />
      </Group>
    </Group>
  );
}

/** `1–50 of 100,000`. */
function rangeText(offset: number, limit: number, total: number): string {
  if (total === 0) return t('content.none');
  return t('content.range', {
    from: formatNumber(Math.min(offset + 1, total)),
    to: formatNumber(Math.min(offset + limit, total)),
    total: formatNumber(total),
  });
}

interface StepProps {
  icon: TablerIcon;
  label: string;
  to: number;
  disabled: boolean;
  onPage: (offset: number) => void;
}

function Step({ icon: Icon, label, to, disabled, onPage }: StepProps) {
  return (
    <ActionIcon aria-label={label} title={label} disabled={disabled} variant="default" onClick={() => onPage(to)}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
