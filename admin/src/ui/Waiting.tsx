import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { labelled, t } from '~/i18n';

interface WaitingProps {
  /** The name of what is on its way, as its heading says it. */
  what?: string | undefined;
  /** The heights of the boxes that stand for it. */
  heights?: readonly (number | string)[];
  /** True in a part of a screen: screen readers find the text there, and are not interrupted by it. */
  quiet?: boolean;
  className?: string | undefined;
  mb?: string;
  /** Another shape than boxes one below the other. */
  children?: ReactNode;
}

/** The shape of what is on its way. Screen readers get one text for it, and nothing of the shape. */
export function Waiting({ what, heights = [], quiet = false, className, mb, children }: WaitingProps) {
  return (
    <div role={quiet ? undefined : 'status'}>
      <span className="visually-hidden">{what ? labelled(t('general.loading'), what) : t('general.loading')}</span>
      <Stack gap="xs" aria-hidden className={className} mb={mb}>
        {children ??
          heights.map((height, index) => <Skeleton key={index} height={height} radius={typeof height === 'number' && height > 100 ? 'lg' : 'md'} />)}
      </Stack>
    </div>
  );
}
