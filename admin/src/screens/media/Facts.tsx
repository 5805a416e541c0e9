import { Code, Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { MediaItem } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { formatBytes, formatNumber, t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { Time } from '~/ui/Time';
import classes from './Media.module.css';

/** The facts about a file, and its addresses. */
export function Facts({ workspace, item }: { workspace: string; item: MediaItem }) {
  const by = useUploader(item.uploaded_by);
  return (
    <>
      <dl className={classes.facts}>
        <Fact label={t('media.mime')}>{item.mime}</Fact>
        {item.width !== null && item.height !== null && (
          <Fact label={t('media.dimensions')}>
            {t('media.pixels', { width: formatNumber(item.width), height: formatNumber(item.height) })}
          </Fact>
        )}
        <Fact label={t('media.size')}>{formatBytes(item.size)}</Fact>
        <Fact label={t('media.uploaded')}>
          <Time value={item.uploaded_at} />
        </Fact>
        {by && <Fact label={t('media.uploadedBy')}>{by}</Fact>}
      </dl>
      <Address label={t('media.url')} value={item.url} />
      {item.thumb_url && <Address label={t('media.thumbUrl')} value={item.thumb_url} />}
      <Address label={t('media.disk')} value={`workspaces/${workspace}/media/${item.filename}`} />
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Input.Label labelElement="div">{label}</Input.Label>
      <div className={classes.address}>
        <Code className={classes.addressText} title={value}>
          {value}
        </Code>
        <CopyButton value={value} label={t('media.copy', { what: label })} />
      </div>
    </div>
  );
}

/** Returns the name of the uploader, as far as it may be known. */
function useUploader(id: string | null): string | undefined {
  const me = useMe();
  const can = useCan();
  const isMe = id === me.id;
  const { data } = useQuery({
    queryKey: queryKeys.user(id ?? ''),
    queryFn: async () => (await call(api.GET('/admin/api/users/{id}', { params: { path: { id: id ?? '' } } }))).data,
    enabled: id !== null && !isMe && can('users.read', 'users:*'),
    staleTime: 60_000,
    retry: false,
  });
  if (isMe) return t('media.you');
  return data && (data.display_name || data.username);
}
