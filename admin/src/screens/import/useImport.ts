import { useEffect, useRef, useState } from 'react';
import { type ImportOptions, type ImportReport, sendImport } from './data';

interface Running {
  dryRun: boolean;
  /** The part of the file that has been sent, from 0 to 1. */
  part: number;
}

/** An import in its steps: chosen, looked at, done. */
export function useImport(file: File | undefined, options: ImportOptions | undefined) {
  const [running, setRunning] = useState<Running>();
  const [report, setReport] = useState<ImportReport>();
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const run = async (dryRun: boolean) => {
    if (!file || !options) return;
    const controller = new AbortController();
    abort.current = controller;
    setError(undefined);
    setRunning({ dryRun, part: 0 });
    try {
      setReport(await sendImport({ file, options, dryRun, onProgress: (part) => setRunning({ dryRun, part }), signal: controller.signal }));
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    } finally {
      setRunning(undefined);
    }
  };
  /** Goes back to the choice: what was said of another one is no longer so. */
  const reset = () => {
    setReport(undefined);
    setError(undefined);
  };
  return { running, report, error, run, reset, cancel: () => abort.current?.abort() };
}
