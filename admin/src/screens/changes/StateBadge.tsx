import { Badge } from '@mantine/core';
import type { ChangeState } from '~/api/changes/change';
import { t } from '~/i18n';
import { stateText } from './change';

const COLOURS: Record<ChangeState, string> = { open: 'ink', in_review: 'amber', approved: 'violet', published: 'green', closed: 'gray' };

/** The state of a change. */
export function StateBadge({ state }: { state: ChangeState }) {
  return (
    <Badge color={COLOURS[state]} variant={state === 'closed' ? 'outline' : 'light'}>
      {t(stateText(state))}
    </Badge>
  );
}
