import { Button, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { NoPermission } from '~/ui/EmptyState';
import { restoreLostFocus } from '~/ui/lost-focus';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import { guessMap, readColumns, type TableColumn } from './columns';
import type { ImportOptions } from './data';
import { FileChoice } from './FileChoice';
import { SOURCES, type Source, tableFormat } from './kinds';
import { Refused, Report } from './Report';
import { Sending } from './Sending';
import { StatusChoice, TableOptions, type TableChoice } from './TableOptions';
import { useImport } from './useImport';

/** The bytes of a file in which the columns of a table are looked for. JSON has to be read whole. */
const HEAD_BYTES = 256 * 1024;
const JSON_BYTES = 8 * 1024 * 1024;

/** Content from another system or a table: what is it, what would happen, and only then the import. */
export default function Import() {
  const can = useCan();
  const allowed = can('content.publish', 'content:*');
  return (
    <>
      <PageHead title={t('shell.import')} description={allowed ? t('import.about') : undefined} />
      {allowed ? <Steps /> : <NoPermission action="content.publish" />}
    </>
  );
}

const NO_TABLE: TableChoice = { type: '', map: {}, key: '', status: '', locale: '' };

function Steps() {
  const types = useContentTypes(useWorkspace());
  const search = useSearch({ strict: false }) as { type?: string };
  const [source, setSource] = useState<Source>('table');
  const [file, setFile] = useState<File>();
  const [columns, setColumns] = useState<TableColumn[]>([]);
  const [table, setTable] = useState({ ...NO_TABLE, type: types.some((it) => it.name === search.type) ? (search.type ?? '') : '' });
  const [status, setStatus] = useState('');
  const [from, setFrom] = useState('');
  const type = types.find((it) => it.name === table.type);
  const options = optionsOf({ source, file, table, status, from });
  const run = useImport(file, options);

  const chooseSource = (next: Source) => {
    setSource(next);
    chooseFile(undefined);
  };
  const chooseFile = (next: File | undefined) => {
    run.reset();
    setFile(next);
    setColumns([]);
    if (next && source === 'table') void readHead(next).then((found) => takeColumns(found, type));
  };
  const takeColumns = (found: TableColumn[], of: ContentTypeShape | undefined) => {
    setColumns(found);
    setTable((it) => ({ ...it, map: of ? guessMap(of, found) : {} }));
  };
  const changeTable = (change: Partial<TableChoice>) => {
    const next = { ...table, ...change };
    const of = types.find((it) => it.name === next.type);
    // Another type has other fields.
    setTable(change.type !== undefined && of ? { ...NO_TABLE, type: of.name, map: guessMap(of, columns), status: next.status } : next);
  };

  const preview = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    restoreLostFocus(() => preview.current);
    run.cancel();
  };

  if (run.report) {
    return <Report key={String(run.report.dry_run)} report={run.report} running={run.running} error={run.error} onBack={run.reset} onImport={() => void run.run(false)} onAnother={() => chooseFile(undefined)} />;
  }
  return (
    <Stack gap="lg" maw={860}>
      <Radio.Group label={t('import.from')} value={source} onChange={(value) => chooseSource(value as Source)}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="xs" mt="xs">
          {SOURCES.map((it) => (
            <Radio key={it} value={it} label={t(`import.source.${it}`)} description={t(`import.sourceHint.${it}`)} disabled={run.running !== undefined} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <FileChoice key={source} source={source} file={file} disabled={run.running !== undefined} onChange={chooseFile} />
      {file && source === 'table' && <TableOptions types={types} type={type} columns={columns} value={table} onChange={changeTable} />}
      {file && source === 'markdown' && <StatusChoice value={status} onChange={setStatus} standard="published" />}
      {file && source === 'php' && (
        <TextInput label={t('import.fromWorkspace')} description={t('import.fromWorkspaceHint')} value={from} onChange={(event) => setFrom(event.currentTarget.value)} maw={420} />
      )}
      {run.error !== undefined && <Refused error={run.error} hint={columns.length > 0 ? t('import.problemsHintColumns') : undefined} />}
      {run.running ? (
        <Sending part={run.running.part} onCancel={cancel} />
      ) : (
        <Group>
          <Button ref={preview} leftSection={<IconFileSearch size={16} aria-hidden />} disabled={!options} onClick={() => void run.run(true)}>
            {t('import.preview')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('import.previewHint')}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

interface Chosen {
  source: Source;
  file: File | undefined;
  table: TableChoice;
  status: string;
  from: string;
}

/** Returns what the server has to know; nothing while something is missing. */
function optionsOf({ source, file, table, status, from }: Chosen): ImportOptions | undefined {
  if (!file) return undefined;
  const filled = (text: string) => text.trim() || undefined;
  if (source === 'markdown') return { kind: source, status: filled(status) };
  if (source === 'php') return { kind: source, from: filled(from) };
  if (source !== 'table') return { kind: source };
  if (!table.type) return undefined;
  const { type, map, key, locale } = table;
  return { kind: tableFormat(file.name), type, map, key: filled(key), status: filled(table.status), locale: filled(locale) };
}

async function readHead(file: File): Promise<TableColumn[]> {
  const format = tableFormat(file.name);
  if (format === 'json' && file.size > JSON_BYTES) return [];
  return readColumns(format, await file.slice(0, format === 'json' ? JSON_BYTES : HEAD_BYTES).text());
}
