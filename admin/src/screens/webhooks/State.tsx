import { Badge } from '@mantine/core';
import { t } from '~/i18n';
import { type Delivery, stateOf, type Webhook, type WebhookState } from './hooks';

const COLOURS: Record<WebhookState, string> = {
  off: 'gray', noSecret: 'red', failing: 'red', waiting: 'amber', fine: 'green', quiet: 'gray',
};

/** The state of a webhook. */
export function WebhookChip({ hook }: { hook: Webhook }) {
  const state = stateOf(hook);
  return (
    <Badge color={COLOURS[state]} variant={state === 'off' ? 'outline' : 'light'}>
      {t(`webhooks.state.${state}`)}
    </Badge>
  );
}

const DELIVERY_COLOURS: Record<Delivery['state'], string> = {
  delivered: 'green', retrying: 'amber', failed: 'red', dropped: 'red',
};

/** The result of one attempt, with the receiver's answer. */
export function DeliveryChip({ delivery }: { delivery: Delivery }) {
  return (
    <Badge color={DELIVERY_COLOURS[delivery.state]}>
      {t(`webhooks.delivery.${delivery.state}`)}
      {delivery.status !== null && ` · ${delivery.status}`}
    </Badge>
  );
}
