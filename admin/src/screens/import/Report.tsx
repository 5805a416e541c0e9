import { Alert, Anchor, Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconDatabaseImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '~/api/error';
import { useContentTypes } from '~/api/session';
import { formatNumber, t } from '~/i18n';
import { restoreLostFocus } from '~/ui/lost-focus';
import { useFromServer } from '~/ui/useFromServer';
import { useWorkspace } from '~/workspace';
import type { ImportRemark, ImportReport } from './data';
import classes from './import.module.css';
import { Sending } from './Sending';

/** The number of remarks that are shown. */
const SHOWN = 200;

interface ReportProps {
  report: ImportReport;
  running: { part: number } | undefined;
  error: unknown;
  onBack: () => void;
  onImport: () => void;
  onAnother: () => void;
}

/** The result of an import, or of its dry run. */
export function Report({ report, running, error, onBack, onImport, onAnother }: ReportProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isDone = !report.dry_run;
  // The keyboard goes where the answer is.
  useEffect(() => heading.current?.focus(), []);
  const hasWork = report.files > 0;
  return (
    <Stack gap="lg" maw={860}>
      <Title order={2} size="h3" ref={heading} tabIndex={-1} className={classes.heading}>
        {t(isDone ? 'import.done' : 'import.report')}
      </Title>
      <Summary report={report} />
      <Counts report={report} />
      <NewTypes report={report} />
      <Remarks title={t('import.skipped', { count: report.skipped_total })} remarks={report.skipped} total={report.skipped_total} />
      <Remarks title={t('import.altered', { count: report.altered_total })} remarks={report.altered} total={report.altered_total} />
      {error !== undefined && <Refused error={error} />}
      {running ? (
        <Sending part={running.part} />
      ) : (
        <Group gap="xs">
          {!isDone && hasWork && (
            <Button leftSection={<IconDatabaseImport size={16} aria-hidden />} onClick={onImport}>
              {t('import.now')}
            </Button>
          )}
          <Button variant="default" onClick={isDone ? onAnother : onBack}>
            {t(isDone ? 'import.another' : 'import.back')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Summary({ report }: { report: ImportReport }) {
  if (report.dry_run && report.files > 0) return <Text size="sm">{t('import.reportHint')}</Text>;
  const key = report.written ? 'import.written' : report.entries.unchanged > 0 ? 'import.same' : 'import.nothing';
  return (
    <Alert color={report.written ? 'green' : 'gray'} icon={<IconCheck size={18} aria-hidden />} role="status">
      {t(key)}
    </Alert>
  );
}

/** The numbers of each content type, and of what comes along. */
function Counts({ report }: { report: ImportReport }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const label = (name: string) => types.find((it) => it.name === name)?.label ?? name;
  const opens = (name: string) => !report.dry_run && types.some((it) => it.name === name);
  const rows = report.types.filter(({ entries: it }) => it.created + it.updated + it.unchanged > 0);
  const others = [
    { key: 'media', label: t('shell.media'), counts: report.media },
    { key: 'revisions', label: t('import.versions'), counts: report.revisions },
  ].filter(({ counts: it }) => it.created + it.updated + it.unchanged > 0);
  if (rows.length + others.length === 0) return null;
  return (
    <table className={classes.counts}>
      <caption className="visually-hidden">{t('import.report')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('import.what')}</th>
          <th scope="col">{t('import.created')}</th>
          <th scope="col">{t('import.updated')}</th>
          <th scope="col">{t('import.unchanged')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, created, entries }) => (
          <tr key={name}>
            <th scope="row">
              <Group gap={6}>
                {opens(name) ? (
                  <Anchor component={Link} to="/w/$workspace/content/$type" params={{ workspace, type: name } as never} size="sm">
                    {label(name)}
                  </Anchor>
                ) : (
                  label(name)
                )}
                {created && <Badge color="green">{t('import.newType')}</Badge>}
              </Group>
            </th>
            <Numbers counts={entries} />
          </tr>
        ))}
        {others.map(({ key, label: name, counts }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <Numbers counts={counts} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Numbers({ counts }: { counts: ImportReport['entries'] }) {
  return (
    <>
      <td className={counts.created > 0 ? classes.created : classes.zero}>{formatNumber(counts.created)}</td>
      <td className={counts.updated > 0 ? classes.updated : classes.zero}>{formatNumber(counts.updated)}</td>
      <td className={classes.zero}>{formatNumber(counts.unchanged)}</td>
    </>
  );
}

/** The fields of content types that are made: their last chance to be made differently. */
function NewTypes({ report }: { report: ImportReport }) {
  const made = report.types.filter((it) => it.created);
  if (made.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h4" mb={4}>
        {t('import.types')}
      </Title>
      {report.dry_run && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('import.typesHint')}
        </Text>
      )}
      <Stack gap="xs">
        {made.map(({ name, fields }) => (
          <Paper key={name} withBorder p="sm">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="sm" c="dimmed" className={classes.file}>
              {fields.join(', ')}
            </Text>
          </Paper>
        ))}
      </Stack>
    </section>
  );
}

interface RemarksProps {
  title: string;
  remarks: readonly ImportRemark[];
  total: number;
}

function Remarks({ title, remarks, total }: RemarksProps) {
  const fromServer = useFromServer();
  if (total === 0) return null;
  const shown = remarks.slice(0, SHOWN);
  return (
    <section>
      <Title order={3} size="h4" mb={4}>
        {title}
      </Title>
      <List size="sm" spacing={2} className={classes.remarks} tabIndex={shown.length > 6 ? 0 : undefined} aria-label={title}>
        {shown.map((it) => (
          <List.Item key={`${placeOf(it)} ${it.message}`}>
            {placeOf(it) && <b>{placeOf(it)}: </b>}
            {fromServer(it.message)}
          </List.Item>
        ))}
      </List>
      {total > shown.length && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('import.more', { count: total - shown.length })}
        </Text>
      )}
    </section>
  );
}

/** The place of a remark in the source, in words. */
function placeOf({ file, row, line, field }: ImportRemark): string {
  const at = row !== undefined ? t('import.row', { row: formatNumber(row) }) : line !== undefined ? t('import.line', { line: formatNumber(line) }) : undefined;
  return [file, at, field].filter(Boolean).join(', ');
}

/** The reason of a refusal; of a source with problems, all of them with their places. `hint` says what to do about these. */
export function Refused({ error, hint = t('import.problemsHint') }: { error: unknown; hint?: string | undefined }) {
  const refused = error instanceof ApiError ? error : undefined;
  const problems = Object.entries(refused?.fields ?? {});
  const isSource = refused?.code === 'invalid_import';
  const alert = useRef<HTMLDivElement>(null);
  // The button that was pressed made way for the progress.
  useEffect(() => restoreLostFocus(() => alert.current), []);
  const title = isSource ? t('import.problems', { count: problems.length }) : (refused?.message ?? t('general.failed'));
  return (
    <Alert ref={alert} tabIndex={-1} color="red" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />} title={title} maw={860}>
      {isSource && <Text size="sm">{hint}</Text>}
      {!refused && t('general.failedHint')}
      {problems.length > 0 && (
        <List size="sm" spacing={2} className={classes.remarks} tabIndex={problems.length > 6 ? 0 : undefined} aria-label={title}>
          {problems.map(([place, message]) => (
            <List.Item key={place}>
              {place !== 'source' && <b>{place.replaceAll('`', '')}: </b>}
              {message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
