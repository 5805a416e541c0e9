import { createContext, type ReactNode, useContext, useEffect } from 'react';

type Report = (path: string, message: string | undefined) => void;

const Problems = createContext<Report | undefined>(undefined);

/**
 * Hears of what is typed in the inputs below and cannot be a value yet (half a number, broken
 * JSON): the value is then still the one before, which whoever saves should know.
 */
export function FieldProblems({ onChange, children }: { onChange: Report; children: ReactNode }) {
  return <Problems value={onChange}>{children}</Problems>;
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
