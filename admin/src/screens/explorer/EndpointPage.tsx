import { Alert, Badge, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconLock, IconPlayerStop, IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { CodeEditor } from '~/code/CodeEditor';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { confirm } from '~/ui/feedback';
import { useSaveShortcut } from '~/ui/shortcuts';
import { AnswerView } from './AnswerView';
import { CopyParams, FeedParams, PictureParams, SitemapParams } from './DeliveryParams';
import { DownloadButton } from './DownloadButton';
import { FieldTable } from './FieldTable';
import { Identifier } from './Identifier';
import { ListParams, MediaParams, SingleParams } from './ListParams';
import { callOf, type Endpoint, endpointsOf, firstBody, isIncomplete, isWriting, needsToken, type Operation, takesBody, type Target } from './model';
import { TokenField } from './Overview';
import { type Answer, send } from './send';
import { isTold, operationLabel } from './labels';
import { Snippets } from './Snippets';
import { snippetsOf } from './snippets';
import classes from './explorer.module.css';

const METHOD_COLOURS: Record<Endpoint['method'], string> = { GET: 'ink', POST: 'green', PATCH: 'amber', DELETE: 'red' };

interface EndpointPageProps {
  workspace: string;
  base: string;
  target: Target;
  types: readonly ContentTypeShape[];
  operation: Operation | undefined;
  query: string;
  id: string;
  token: string;
  onToken: (token: string) => void;
  onOperation: (operation: Operation) => void;
  onQuery: (query: string) => void;
  onId: (id: string) => void;
}

/** The requests about one thing: built, sent, answered, and written down in several languages. */
export function EndpointPage(props: EndpointPageProps) {
  const { workspace, base, target, types, query, id, token } = props;
  const endpoints = endpointsOf(target, workspace);
  const endpoint = endpoints.find((it) => it.operation === props.operation) ?? endpoints[0];
  const [bodies, setBodies] = useState<Record<string, string>>({});
  if (!endpoint) return null;
  const body = bodies[endpoint.operation] ?? firstBody(target, endpoint);
  const call = callOf({ endpoint, query, id, body, withToken: token !== '' || needsToken(endpoint, target) });
  return (
    <Stack gap="xl">
      <Stack gap="md">
        <Title order={2}>{target.kind === 'type' ? target.type.label : t(`explorer.${target.kind}`)}</Title>
        {endpoints.length > 1 && (
          <SegmentedControl
            aria-label={t('explorer.operations')}
            value={endpoint.operation}
            onChange={(it) => props.onOperation(it as Operation)}
            data={endpoints.map((it) => ({ value: it.operation, label: operationLabel(it) }))}
            w="fit-content"
            maw="100%"
          />
        )}
        <About endpoint={endpoint} target={target} />
        <Rights endpoint={endpoint} target={target} />
        <Params {...props} endpoint={endpoint} />
        {takesBody(endpoint) && (
          <div>
            <Text size="sm" fw={500} id="body-label" mb={4}>
              {t('explorer.body')}
            </Text>
            <CodeEditor value={body} onChange={(it) => setBodies((all) => ({ ...all, [endpoint.operation]: it }))} language="json" labelledBy="body-label" minLines={6} maxLines={24} invalid={!isJson(body)} />
            {!isJson(body) && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {t('explorer.bodyInvalid')}
              </Text>
            )}
          </div>
        )}
        <TokenField token={token} onToken={props.onToken} />
      </Stack>
      <Sending key={`${endpoint.operation} ${endpoint.path}`} endpoint={endpoint} target={target} call={call} base={base} token={token} ready={!isIncomplete(endpoint, id, query) && (!takesBody(endpoint) || isJson(body))} />
      <Snippets snippets={snippetsOf({ call, base, workspace, target, types, endpoint, query: isWriting(endpoint) ? '' : query, id })} />
      {target.kind === 'type' && <FieldTable type={target.type} />}
    </Stack>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The purpose of a request that is more than a list or one of its items. */
function About({ endpoint: { operation }, target }: { endpoint: Endpoint; target: Target }) {
  const told = isTold(target.kind) ? target.kind : operation === 'picture' || operation === 'view' ? operation : undefined;
  return told && <Text size="sm">{t(`explorer.about.${told}`)}</Text>;
}

/** The parameters of the request. */
function Params({ endpoint, target, workspace, types, query, id, onQuery, onId }: EndpointPageProps & { endpoint: Endpoint }) {
  const form = { query, onChange: onQuery };
  return (
    <>
      {endpoint.path.includes('{id}') && <Identifier workspace={workspace} target={target} operation={endpoint.operation} types={types} value={id} onChange={onId} />}
      {endpoint.operation === 'list' && target.kind === 'type' && <ListParams {...form} type={target.type} />}
      {endpoint.operation === 'list' && target.kind === 'media' && <MediaParams {...form} />}
      {endpoint.operation === 'get' && target.kind === 'type' && <SingleParams {...form} type={target.type} />}
      {endpoint.operation === 'picture' && <PictureParams {...form} />}
      {isCopy(endpoint.operation) && <CopyParams {...form} types={types} operation={endpoint.operation} />}
      {target.kind === 'feeds' && <FeedParams {...form} type={types.find((it) => it.name === id)} />}
      {endpoint.operation === 'sitemap' && <SitemapParams {...form} />}
      {(target.kind === 'feeds' || target.kind === 'sitemap') && !types.some((it) => it.feed) && (
        <Alert color="amber" p="xs">
          {t('explorer.noFeeds')}
        </Alert>
      )}
    </>
  );
}

function isCopy(operation: Operation): operation is 'bundle' | 'sync' | 'events' {
  return operation === 'bundle' || operation === 'sync' || operation === 'events';
}

/** Tells whether a token is needed, and what it has to grant. */
function Rights({ endpoint, target }: { endpoint: Endpoint; target: Target }) {
  const grant = { action: endpoint.action, resource: endpoint.resource };
  const isPrivate = target.kind === 'type' && target.type.visibility === 'private';
  const text = isWriting(endpoint)
    ? t('explorer.rightsWrite', grant)
    : isPrivate
      ? t('explorer.rightsPrivate', grant)
      : t(`explorer.rights.${endpoint.rights}`, grant);
  return (
    <Alert color={needsToken(endpoint, target) ? 'amber' : 'gray'} icon={<IconLock size={18} aria-hidden />} p="xs">
      {text}
      {endpoint.action === 'content.create' || endpoint.action === 'content.update' ? ` ${t('explorer.rightsPublish')}` : ''}
    </Alert>
  );
}

interface SendingProps {
  endpoint: Endpoint;
  target: Target;
  call: ReturnType<typeof callOf>;
  base: string;
  token: string;
  ready: boolean;
}

/** The address, the button that sends, and what came of it. */
function Sending({ endpoint, target, call, base, token, ready }: SendingProps) {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  // A stream shows what has come so far.
  const [begun, setBegun] = useState<Answer>();
  const request = useMutation({
    mutationFn: () => {
      running.current?.abort();
      running.current = new AbortController();
      setBegun(undefined);
      return send(call, token, running.current.signal, setBegun);
    },
  });
  const lacksToken = isWriting(endpoint) && token === '';
  const run = async () => {
    if (!ready || lacksToken || request.isPending) return;
    const question = { title: t('explorer.deleteTitle'), body: call.path, action: t('general.delete'), danger: true };
    if (endpoint.operation === 'delete' && !(await confirm(question))) return;
    request.mutate();
  };
  useSaveShortcut(() => void run());
  const reason = lacksToken ? t('explorer.needsToken') : ready ? undefined : t('explorer.notReady');
  return (
    <Stack gap="md">
      <div className={classes.url}>
        <Badge color={METHOD_COLOURS[call.method]}>{call.method}</Badge>
        <span className={classes.address}>{base + call.path}</span>
        <CopyButton value={base + call.path} label={t('explorer.copyUrl')} />
      </div>
      <Group gap="sm">
        <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => void run()} loading={request.isPending} disabled={reason !== undefined} aria-describedby={reason ? 'send-reason' : undefined}>
          {t('explorer.send')}
        </Button>
        {request.isPending && endpoint.answer === 'events' && (
          <Button variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={() => running.current?.abort()}>
            {t('explorer.stop')}
          </Button>
        )}
        {endpoint.operation === 'typings' && (
          <DownloadButton call={call} token={token} name="recto-types.ts" icon={<IconDownload size={16} aria-hidden />}>
            {t('explorer.typingsDownload')}
          </DownloadButton>
        )}
        <Text size="sm" c="dimmed" id="send-reason">
          {reason ?? (isWriting(endpoint) ? t('explorer.writesForReal') : target.kind === 'type' && target.type.visibility === 'private' && token === '' ? t('explorer.privateWithout') : '')}
        </Text>
      </Group>
      <AnswerView answer={request.data ?? begun} error={request.error} />
    </Stack>
  );
}
