import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

type Report = (path: string, message: string | undefined) => void;

const Problems = createContext<Report | undefined>(undefined);

/**
 * Hears of what is typed in the inputs below and cannot be a value yet (half a number, broken
 * JSON): the value is then still the one before, which whoever saves should know.
 */
export function FieldProblems({ onChange, children }: { onChange: Report; children: ReactNode }) {
  return <Problems value={onChange}>{children}</Problems>;
}

/** The problem of the one input below, and what hears of it: the `onChange` of `FieldProblems`. */
export function useOneProblem() {
  const [problem, setProblem] = useState<string>();
  const report = useCallback<Report>((_, message) => setProblem(message), []);
  return [problem, report] as const;
}

/** Reports what is wrong with what is typed, for as long as it is. */
export function useProblem(path: string, message: string | undefined): void {
  const report = useContext(Problems);
  useEffect(() => {
    if (!report || message === undefined) return undefined;
    report(path, message);
    return () => report(path, undefined);
  }, [report, path, message]);
}
