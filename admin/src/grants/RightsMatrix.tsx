import { Table, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCircleHalf2, IconMinus } from '@tabler/icons-react';
import type { Grant } from '~/api/schema';
import { useContentTypes, useMe } from '~/api/session';
import { t } from '~/i18n';
import { useWorkspace } from '~/workspace';
import { decideAction, type Verdict } from './effective';
import classes from './Grants.module.css';

const COLUMNS = ['read', 'create', 'update', 'delete', 'publish'] as const;
type Column = (typeof COLUMNS)[number];

const MEDIA: Partial<Record<Column, string>> = { read: 'media.read', create: 'media.upload', update: 'media.update', delete: 'media.delete' };
const SCHEMA: Partial<Record<Column, string>> = { read: 'schema.read', create: 'schema.create', update: 'schema.update', delete: 'schema.delete' };

/** The effect of all grants: the types of the workspace, and the actions that are allowed on each. */
export function RightsMatrix({ grants }: { grants: readonly Grant[] }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const label = useMe().workspaces.find((it) => it.slug === workspace)?.label ?? workspace;
  const content = (column: Column) => `content.${column}`;
  const rows = [
    ...types.map((type) => ({ key: type.name, label: type.label, on: `content:${type.name}:*`, action: content })),
    { key: ':media', label: t('roles.matrix.allMedia'), on: 'media:*', action: (column: Column) => MEDIA[column] },
    { key: ':schema', label: t('roles.matrix.schema'), on: 'schema:*', action: (column: Column) => SCHEMA[column] },
  ];
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('roles.matrix.hint', { name: label })}
      </Text>
      <div className={classes.matrix}>
        <Table verticalSpacing={4} horizontalSpacing="sm">
          <caption className="visually-hidden">{t('roles.matrix.title')}</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Td>
                <span className="visually-hidden">{t('roles.matrix.on')}</span>
              </Table.Td>
              {COLUMNS.map((column) => (
                <Table.Th key={column} scope="col" fz="xs">
                  {t(`roles.matrix.col.${column}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.key}>
                <Table.Th scope="row">{row.label}</Table.Th>
                {COLUMNS.map((column) => {
                  const action = row.action(column);
                  return (
                    <Table.Td key={column}>{action && <Mark verdict={decideAction(grants, workspace, action, row.on)} />}</Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}

const ICONS = { yes: IconCheck, partly: IconCircleHalf2, no: IconMinus };

function Mark({ verdict: it }: { verdict: Verdict }) {
  const Icon = ICONS[it];
  return (
    <Tooltip label={t(`roles.matrix.${it}`)}>
      <span className={classes.mark} data-verdict={it} role="img" aria-label={t(`roles.matrix.${it}`)}>
        <Icon size={16} aria-hidden />
      </span>
    </Tooltip>
  );
}
