import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { useSettings } from '~/api/settings';
import { t } from '~/i18n';
import { AmountInput } from '~/ui/AmountInput';
import { CopyButton } from '~/ui/CopyButton';
import { useBuilder } from '../builder-context';
import { cacheControl } from '../draft/cache-control';
import { defectOf } from '../draft/defects';
import { ROOT } from '../draft/draft';
import classes from '../types.module.css';

/** The times of the server, by the names of their texts. */
const TIMES = { max_age: 'browsers', s_maxage: 'shared', stale_while_revalidate: 'stale' } as const;

/** The time for which browsers and caches may keep answers with entries of the type. */
export function CacheTimes() {
  const { draft, change, defects, readOnly } = useBuilder();
  const settings = useSettings()?.cache;
  const header = `Cache-Control: ${cacheControl(draft.cache, settings)}`;
  const units = [
    { label: t('types.cache.seconds'), size: 1 },
    { label: t('types.cache.minutes'), size: 60 },
    { label: t('types.cache.hours'), size: 3_600 },
    { label: t('types.cache.days'), size: 86_400 },
  ];
  const set = (key: keyof typeof TIMES, seconds: number | null) =>
    change((it) => {
      const { [key]: _, ...others } = it.cache;
      return { ...it, cache: seconds === null ? others : { ...others, [key]: seconds } };
    });
  return (
    <section className={classes.panel} aria-label={t('types.cache')}>
      <Title order={2} size="h4">
        {t('types.cache')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('types.cacheAbout')}
      </Text>
      <Stack gap="sm">
        {(Object.keys(TIMES) as (keyof typeof TIMES)[]).map((key) => (
          <AmountInput
            key={key}
            label={t(`types.cache.${TIMES[key]}`)}
            description={t(`types.cache.${TIMES[key]}Hint`)}
            value={draft.cache[key] ?? null}
            onChange={(seconds) => set(key, seconds)}
            units={units}
            placeholder={t(key === 's_maxage' ? 'types.cache.asBrowsers' : 'types.cache.asSettings')}
            error={defectOf(defects, ROOT, `cache.${key}`)}
            disabled={readOnly}
          />
        ))}
      </Stack>
      <Text size="sm" mt="md" mb={4}>
        {t(draft.visibility === 'private' ? 'types.cache.private' : 'types.cache.result')}
      </Text>
      {draft.visibility === 'public' && (
        <Group gap={4} wrap="nowrap">
          <Code className={classes.result}>{header}</Code>
          <CopyButton value={header} label={t('types.cache.copy')} />
        </Group>
      )}
    </section>
  );
}
