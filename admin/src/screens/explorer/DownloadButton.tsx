import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { showError } from '~/ui/feedback';
import { saveFile } from '~/ui/save-file';
import type { ApiCall } from './model';
import { fetchText } from './send';

interface DownloadButtonProps {
  call: ApiCall;
  token: string;
  /** Of the file. */
  name: string;
  icon: ReactNode;
  children: ReactNode;
}

/** A button that keeps the answer to a request as a file, as whoever has the token sees it. */
export function DownloadButton({ call, token, name, icon, children }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const { text, type } = await fetchText(call, token);
      saveFile([text], name, type);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" mt="auto" loading={busy} leftSection={icon} onClick={() => void download()}>
      {children}
    </Button>
  );
}
