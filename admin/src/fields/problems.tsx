import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';

type Report = (path: string, message: string | undefined) => void;

/** Keeps the texts that are typed and no value yet, by the paths of their inputs, which they outlive. */
export interface UnfinishedTexts {
  subscribe: (listener: () => void) => () => void;
  textAt: (path: string) => string | undefined;
  keepText: (path: string, text: string | undefined) => void;
}

interface Hearing {
  report: Report;
  texts: UnfinishedTexts | undefined;
}

const Problems = createContext<Hearing | undefined>(undefined);

interface FieldProblemsProps {
  onChange: Report;
  texts?: UnfinishedTexts;
  children: ReactNode;
}

/**
 * Hears of what is typed in the inputs below and cannot be a value yet (half a number, broken
 * JSON): the value is then still the one before, which whoever saves should know.
 */
export function FieldProblems({ onChange, texts, children }: FieldProblemsProps) {
  const hearing = useMemo(() => ({ report: onChange, texts }), [onChange, texts]);
  return <Problems value={hearing}>{children}</Problems>;
}

/** The problem of the one input below, and what hears of it: the `onChange` of `FieldProblems`. */
export function useOneProblem() {
  const [problem, setProblem] = useState<string>();
  const report = useCallback<Report>((_, message) => setProblem(message), []);
  return [problem, report] as const;
}

/** Reports what is wrong with what is typed, for as long as it is. */
export function useProblem(path: string, message: string | undefined): void {
  const report = useContext(Problems)?.report;
  useEffect(() => {
    if (!report || message === undefined) return undefined;
    report(path, message);
    return () => report(path, undefined);
  }, [report, path, message]);
}

/** Returns the text that is kept of an input, and what keeps another one, or none. */
export function useUnfinishedText(path: string) {
  const texts = useContext(Problems)?.texts;
  const kept = useSyncExternalStore(texts?.subscribe ?? never, () => texts?.textAt(path));
  const keep = useCallback((text: string | undefined) => texts?.keepText(path, text), [texts, path]);
  return [kept, keep] as const;
}

function never(): () => void {
  return () => {};
}
