import { Drawer, Group, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '~/i18n';
import { confirm } from '~/ui/feedback';
import { useReturnFocus } from '~/ui/return-focus';
import { Deliveries } from './Deliveries';
import type { Webhook } from './hooks';
import { Signature } from './Signature';
import { WebhookChip } from './State';
import { WebhookForm } from './WebhookForm';
import classes from './webhooks.module.css';

export const TABS = ['deliveries', 'settings', 'signature'] as const;
export type Tab = (typeof TABS)[number];

interface WebhookDrawerProps {
  /** Nothing while a new one is made. */
  hook: Webhook | undefined;
  tab: Tab;
  onlyFailed: boolean;
  onTab: (tab: Tab) => void;
  onOnlyFailed: (only: boolean) => void;
  /** A new one is there. */
  onCreated: (hook: Webhook) => void;
  onClose: () => void;
}

/** One webhook: what was sent, what can be chosen, how messages are checked. */
export function WebhookDrawer(props: WebhookDrawerProps) {
  const { hook, tab, onTab, onCreated, onClose } = props;
  useReturnFocus();
  const [dirty, setDirty] = useState(false);
  const [secret, setSecret] = useState<{ id: string; text: string }>();
  const leave = async (then: () => void) => {
    const sure = !dirty || (await confirm({ title: t('general.discardTitle'), action: t('general.discard'), danger: true }));
    if (!sure) return;
    setDirty(false);
    then();
  };
  const saved = (it: Webhook) => {
    if (it.secret) setSecret({ id: it.id, text: it.secret });
    if (!hook) onCreated(it);
  };
  const form = (
    <WebhookForm
      key={hook?.id ?? 'new'}
      hook={hook}
      secret={secret && secret.id === hook?.id ? secret.text : undefined}
      onSaved={saved}
      onDirty={setDirty}
      onClose={() => void leave(onClose)}
    />
  );
  return (
    <Drawer
      opened
      onClose={() => void leave(onClose)}
      size={720}
      title={
        <Group gap="sm" wrap="nowrap">
          <Text fw={650} component="span">
            {hook ? hook.name : t('webhooks.new')}
          </Text>
          {hook && <WebhookChip hook={hook} />}
        </Group>
      }
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {hook ? (
        <>
          <div className={classes.url}>{hook.url}</div>
          <Tabs value={tab} onChange={(value) => void leave(() => onTab(TABS.find((it) => it === value) ?? 'deliveries'))} keepMounted={false} mt="sm">
            <Tabs.List mb="md">
              {TABS.map((it) => (
                <Tabs.Tab key={it} value={it}>
                  {t(`webhooks.tab.${it}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="deliveries">
              <Deliveries hook={hook} onlyFailed={props.onlyFailed} onOnlyFailed={props.onOnlyFailed} />
            </Tabs.Panel>
            <Tabs.Panel value="settings">{form}</Tabs.Panel>
            <Tabs.Panel value="signature">
              <Signature />
            </Tabs.Panel>
          </Tabs>
        </>
      ) : (
        form
      )}
    </Drawer>
  );
}
