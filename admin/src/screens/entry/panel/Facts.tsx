import { Button, Stack } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { Time } from '~/ui/Time';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import type { Shape } from '../form/form';
import { rawOf } from '../form/raw';
import { type EntryForm, useFormState } from '../form/store';
import { useOrigin } from './Address';
import { useNameOf } from './Publishing';

/** The facts about the entry, and links for developers. */
export function Facts({ id }: { id: string }) {
  const { workspace, type, form, rights, liveIsGone } = useEditing();
  const entry = useFormState(form, (state) => state.entry);
  const nameOf = useNameOf();
  const origin = useOrigin();
  if (!entry) return null;
  const api = `${origin}/api/v1/workspaces/${workspace}/content/${type.name}/${id}`;
  const file = `workspaces/${workspace}/content/${type.name}/${id}.json`;
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('entry.created')}</dt>
        <dd>
          <Time value={entry.created_at} />
        </dd>
        <dt>{t('entry.updated')}</dt>
        <dd>
          <Time value={entry.updated_at} />
        </dd>
        <dt>{t('entry.updatedBy')}</dt>
        <dd>{nameOf(entry.updated_by)}</dd>
        <dt>{t('entry.id')}</dt>
        <dd className={classes.address}>{id}</dd>
      </dl>
      <Stack gap={6} mt="md">
        {rights.revisions && !liveIsGone && (
          <Button
            variant="default"
            leftSection={<IconHistory size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link {...props} to="/w/$workspace/content/$type/$id/history" params={{ workspace, type: type.name, id }} />
            )}
          >
            {t('entry.history')}
          </Button>
        )}
        <CopyButton text value={api} label={t('entry.copyApi')} />
        <CopyButton text value={file} label={t('entry.copyFile')} />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download(type, form, `${id}.json`)}
        >
          {t('entry.download')}
        </Button>
      </Stack>
    </>
  );
}

/** Hands the entry to the browser as a file, as it is saved. */
function download(shape: Shape, form: EntryForm, name: string): void {
  const { base, entry } = form.state();
  const text = `${JSON.stringify(rawOf(shape, base, entry), null, 2)}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
