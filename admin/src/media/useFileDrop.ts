import { type DragEvent, useState } from 'react';

interface FileDrop {
  /** True if files are being held over the place. */
  over: boolean;
  events: Partial<Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>>;
}

/** Lets files be dropped on a place of the page. */
export function useFileDrop(onFiles: (files: File[]) => void, enabled: boolean): FileDrop {
  const [over, setOver] = useState(false);
  if (!enabled) return { over: false, events: {} };
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const hold = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(true);
  };
  return {
    over,
    events: {
      onDragEnter: hold,
      onDragOver: hold,
      onDragLeave: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event) => {
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
