import { ActionIcon, Badge, Menu, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconBan, IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { usePeople } from '~/api/people';
import type { Token } from '~/api/schema';
import { useCan } from '~/api/session';
import { useNames } from '~/grants/data';
import { grantSummary } from '~/grants/summary';
import { formatDateTime, t } from '~/i18n';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { showError } from '~/ui/feedback';
import { Time } from '~/ui/Time';
import { endToken, hasPrevious, tokenState } from './token';
import classes from './Tokens.module.css';

const COLOURS = { active: 'green', expired: 'amber', revoked: 'gray' } as const;
const SENTENCES_SHOWN = 2;

interface TokenTableProps {
  tokens: readonly Token[];
  onOpen: (token: Token) => void;
  onRotate: (token: Token) => void;
}

export function TokenTable({ tokens, onOpen, onRotate }: TokenTableProps) {
  const names = useNames(tokens.flatMap((it) => it.permissions));
  const columns: Column<Token>[] = [
    {
      key: 'name',
      label: t('tokens.column.name'),
      primary: true,
      width: 220,
      render: (token) => (
        <div>
          <UnstyledButton className={classes.name} onClick={() => onOpen(token)}>
            {token.name}
          </UnstyledButton>
          {token.description && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {token.description}
            </Text>
          )}
          {hasPrevious(token) && (
            <Text size="xs" c="dimmed">
              {t('tokens.previousUntil', { when: formatDateTime(token.previous_ends_at ?? '') })}
            </Text>
          )}
        </div>
      ),
    },
    {
      key: 'grants',
      label: t('tokens.column.grants'),
      render: (token) => (
        <Stack gap={0}>
          {token.permissions.slice(0, SENTENCES_SHOWN).map((grant, index) => (
            <Text key={index} size="sm">
              {grantSummary(grant, names)}
            </Text>
          ))}
          {token.permissions.length > SENTENCES_SHOWN && (
            <Text size="sm" c="dimmed">
              {t('tokens.moreGrants', { count: token.permissions.length - SENTENCES_SHOWN })}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'state',
      label: t('tokens.column.state'),
      width: 110,
      render: (token) => <Badge color={COLOURS[tokenState(token)]}>{t(`tokens.state.${tokenState(token)}`)}</Badge>,
    },
    { key: 'created', label: t('tokens.column.created'), width: 150, render: (token) => <Created token={token} /> },
    {
      key: 'expires',
      label: t('tokens.column.expires'),
      width: 130,
      render: (token) => <Text size="sm">{token.expires_at ? <Time value={token.expires_at} /> : t('tokens.never')}</Text>,
    },
    {
      key: 'used',
      label: t('tokens.column.used'),
      width: 130,
      render: (token) => <Text size="sm">{token.last_used_at ? <Time value={token.last_used_at} /> : t('tokens.neverUsed')}</Text>,
    },
    {
      key: 'actions',
      label: t('tokens.column.actions'),
      quiet: true,
      width: 56,
      align: 'right',
      render: (token) => <TokenMenu token={token} onOpen={() => onOpen(token)} onRotate={() => onRotate(token)} />,
    },
  ];
  return (
    <DataTable
      caption={t('tokens.title')}
      columns={columns}
      rows={tokens}
      rowKey={(it) => it.id}
      rowState={(token) => ({ muted: tokenState(token) !== 'active' })}
    />
  );
}

function Created({ token }: { token: Token }) {
  const people = usePeople();
  const person = people?.find((it) => it.id === token.created_by);
  const by = person ? t('tokens.by', { name: person.name }) : people && t('tokens.byUnknown');
  return (
    <div>
      <Text size="sm">
        <Time value={token.created_at} />
      </Text>
      <Text size="xs" c="dimmed">
        {token.created_by ? by : t('tokens.byCommand')}
      </Text>
    </div>
  );
}

function TokenMenu({ token, onOpen, onRotate }: { token: Token; onOpen: () => void; onRotate: () => void }) {
  const can = useCan();
  const revoked = token.revoked_at !== null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('tokens.rowActions', { name: token.name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onOpen}>
          {t(can('tokens.create', `tokens:${token.id}`) ? 'tokens.edit' : 'tokens.details')}
        </Menu.Item>
        {can('tokens.create', `tokens:${token.id}`) && tokenState(token) === 'active' && (
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRotate}>
            {t('tokens.rotate')}
          </Menu.Item>
        )}
        {can('tokens.revoke', `tokens:${token.id}`) && (
          <Menu.Item
            color="red"
            leftSection={revoked ? <IconTrash size={16} aria-hidden /> : <IconBan size={16} aria-hidden />}
            onClick={() => endToken(token).catch(showError)}
          >
            {t(revoked ? 'tokens.delete' : 'tokens.revoke')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
