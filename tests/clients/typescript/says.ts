// What the calls of every client have to come to.
declare const process: { env: Record<string, string | undefined>; exitCode?: number };

export const base = process.env.RECTO_BASE ?? '';
export const token = process.env.RECTO_TOKEN ?? '';

export function expect(is: unknown, shall: unknown, about: string): void {
  if (is !== shall) throw new Error(`${about}: ${JSON.stringify(is)} instead of ${JSON.stringify(shall)}`);
}
