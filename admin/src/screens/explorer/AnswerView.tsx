import { Alert, Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback } from 'react';
import { CodeEditor } from '~/code/CodeEditor';
import { formatBytes, formatNumber, t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import type { Answer } from './send';
import classes from './explorer.module.css';

/** The answer: its status, its time, its size and its content. */
export function AnswerView({ answer, error }: { answer: Answer | undefined; error: unknown }) {
  return (
    <Stack gap="xs">
      <Title order={3}>{t('explorer.answer')}</Title>
      <div role="status">
        {error ? (
          <Alert color="red" icon={<IconPlugConnectedX size={18} aria-hidden />} title={t('general.offline')}>
            {t('explorer.noAnswer')}
          </Alert>
        ) : (
          answer && <Facts answer={answer} />
        )}
        {!error && !answer && (
          <Text size="sm" c="dimmed">
            {t('explorer.noAnswerYet')}
          </Text>
        )}
      </div>
      {answer && !error && (
        <Card padding="sm">
          <details>
            <summary className={classes.summary}>{t('explorer.headers', { count: answer.headers.length })}</summary>
            <dl className={classes.headers}>
              {answer.headers.map(([name, value]) => (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </details>
          {answer.picture && <Picture blob={answer.picture} />}
          {answer.body !== '' && (
            <Stack gap={4} mt="xs">
              <Group justify="space-between">
                <Text size="sm" c="dimmed">
                  {answer.isCut && t('explorer.cut')}
                </Text>
                <CopyButton value={answer.body} label={t('explorer.copyAnswer')} />
              </Group>
              <CodeEditor
                value={answer.body}
                language={answer.isJson ? 'json' : 'text'}
                label={t('explorer.answer')}
                readOnly
                followsEnd={answer.isStream}
                minLines={4}
                maxLines={28}
              />
            </Stack>
          )}
        </Card>
      )}
    </Stack>
  );
}

/** The picture that came back. */
function Picture({ blob }: { blob: Blob }) {
  const show = useCallback(
    (img: HTMLImageElement) => {
      img.src = URL.createObjectURL(blob);
      return () => URL.revokeObjectURL(img.src);
    },
    [blob],
  );
  return <img ref={show} alt={t('explorer.answer')} className={classes.picture} />;
}

function Facts({ answer }: { answer: Answer }) {
  const colour = answer.status < 300 ? 'green' : answer.status < 500 ? 'amber' : 'red';
  return (
    <Group gap="sm">
      <Badge size="lg" color={colour}>
        {answer.status}
      </Badge>
      <Text size="sm">{t('explorer.took', { ms: formatNumber(answer.took) })}</Text>
      <Text size="sm">{formatBytes(answer.bytes)}</Text>
      {answer.status === 401 && <Text size="sm">{t('explorer.hint401')}</Text>}
      {answer.status === 403 && <Text size="sm">{t('explorer.hint403')}</Text>}
      {answer.status === 404 && <Text size="sm">{t('explorer.hint404')}</Text>}
    </Group>
  );
}
