/** Files that are dropped on the page or pasted into it. */
import { useEffect, useRef, useState } from 'react';

interface Incoming {
  onFiles: (files: File[]) => void;
  enabled?: boolean;
}

/** The files of a drag or of the clipboard; what is text has none. */
function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/**
 * Takes files that are dropped anywhere on the page or pasted into it, and tells whether some are
 * being dragged over it. The one that came last gets them: a dialog before
 * the page beneath.
 */
export function useIncomingFiles({ onFiles, enabled = true }: Incoming): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const receiver = { take: (files: File[]) => latest.current(files), setOver };
    receivers.push(receiver);
    listen();
    return () => {
      receivers.splice(receivers.indexOf(receiver), 1);
      setOver(false);
    };
  }, [enabled]);
  return over;
}

interface Receiver {
  take: (files: File[]) => void;
  setOver: (over: boolean) => void;
}
const receivers: Receiver[] = [];
let listening = false;
let depth = 0;

function listen(): void {
  if (listening) return;
  listening = true;
  window.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    receivers.at(-1)?.setOver(true);
  });
  window.addEventListener('dragleave', (event) => {
    if (!hasFiles(event)) return;
    depth -= 1;
    if (depth <= 0) left();
  });
  window.addEventListener('dragover', (event) => {
    // Without this the browser would open the file in the place of the page.
    if (hasFiles(event) && receivers.length > 0) event.preventDefault();
  });
  window.addEventListener('drop', (event) => {
    const receiver = receivers.at(-1);
    left();
    if (!receiver || !hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    receiver.take(filesOf(event.dataTransfer));
  });
  window.addEventListener('paste', (event) => {
    const files = filesOf(event.clipboardData);
    const receiver = receivers.at(-1);
    // Office programs put a picture of a text beside the text: then the text is meant.
    const isText = event.clipboardData?.types.includes('text/plain') ?? false;
    if (!receiver || files.length === 0 || isText || event.defaultPrevented) return;
    event.preventDefault();
    receiver.take(files);
  });
}

function left(): void {
  depth = 0;
  for (const receiver of receivers) receiver.setOver(false);
}
