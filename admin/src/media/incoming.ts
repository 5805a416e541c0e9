/** Files that are dropped on the page or pasted into it. */
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useId, useRef, useState } from 'react';

interface Incoming {
  onFiles: (files: File[]) => void;
  enabled?: boolean;
}

/** The parts of the page that take files; the last one gets them: a dialog before the page beneath. */
const receivers: string[] = [];

/** The files of a drag or of the clipboard; what is text has none. */
function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/**
 * Takes files that are dropped anywhere on the page or pasted into it. Returns true while some are
 * being dragged over it.
 */
export function useIncomingFiles({ onFiles, enabled = true }: Incoming): boolean {
  const id = useId();
  // Every element that a drag enters and leaves says so, also those within each other.
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const setDepth = (to: number) => {
    depth.current = Math.max(0, to);
    setOver(depth.current > 0);
  };
  useEffect(() => {
    if (!enabled) return undefined;
    receivers.push(id);
    return () => {
      receivers.splice(receivers.indexOf(id), 1);
      depth.current = 0;
      setOver(false);
    };
  }, [id, enabled]);
  const isReceiver = () => enabled && receivers.at(-1) === id;
  useWindowEvent('dragenter', (event) => {
    if (isReceiver() && hasFiles(event)) setDepth(depth.current + 1);
  });
  useWindowEvent('dragleave', (event) => {
    if (isReceiver() && hasFiles(event)) setDepth(depth.current - 1);
  });
  useWindowEvent('dragover', (event) => {
    // Without this the browser would open the file in the place of the page.
    if (isReceiver() && hasFiles(event)) event.preventDefault();
  });
  useWindowEvent('drop', (event) => {
    setDepth(0);
    if (!isReceiver() || !hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    onFiles(filesOf(event.dataTransfer));
  });
  useWindowEvent('paste', (event) => {
    const files = filesOf(event.clipboardData);
    // Office programs put a picture of a text beside the text: then the text is meant.
    const isText = event.clipboardData?.types.includes('text/plain') ?? false;
    if (!isReceiver() || files.length === 0 || isText || event.defaultPrevented) return;
    event.preventDefault();
    onFiles(files);
  });
  return over;
}
