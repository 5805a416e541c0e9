import { Checkbox, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { t } from '~/i18n';
import type { InputBinding } from '~/ui/useRecordForm';
import { chosenEvents, EVENTS, GROUPS, patternsOf } from './hooks';

/** Chooses the events of a webhook, a whole group at once or one by one. The value has names and patterns, as the server does. */
export function EventChoice({ value, onChange, error }: InputBinding<string[]>) {
  const chosen = chosenEvents(value);
  const set = (events: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const event of events) {
      if (on) next.add(event);
      else next.delete(event);
    }
    onChange(patternsOf(next, value));
  };
  return (
    <Fieldset legend={t('webhooks.events')} aria-describedby={error ? 'events-error' : undefined}>
      <Stack gap="md">
        {GROUPS.map((group) => {
          const events = EVENTS[group];
          const count = events.filter((it) => chosen.has(it)).length;
          return (
            <div key={group} role="group" aria-label={t(`webhooks.group.${group}`)}>
              <Checkbox
                label={t(`webhooks.group.${group}`)}
                fw={600}
                checked={count === events.length}
                indeterminate={count > 0 && count < events.length}
                onChange={(event) => set(events, event.currentTarget.checked)}
                mb={6}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={6} pl={28}>
                {events.map((event) => (
                  <Checkbox
                    key={event}
                    checked={chosen.has(event)}
                    onChange={(it) => set([event], it.currentTarget.checked)}
                    label={
                      <Group gap={6} wrap="wrap">
                        {t(`webhooks.event.${event}`)}
                        <Text span size="xs" c="dimmed" ff="monospace">
                          {event}
                        </Text>
                      </Group>
                    }
                  />
                ))}
              </SimpleGrid>
            </div>
          );
        })}
        {chosen.size === 0 && !error && (
          <Text size="sm" c="dimmed">
            {t('webhooks.noEvents')}
          </Text>
        )}
        {error && (
          <Text id="events-error" size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
