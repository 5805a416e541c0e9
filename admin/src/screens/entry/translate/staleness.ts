/**
 * The source at the time at which a translation was last changed. It follows from the earlier versions that
 * the server keeps: the newest state that brought another translation says what it was made from.
 */
import { isSameValue } from '~/diff/values';
import type { Values } from '../form/form';

/** A state of the entry, with what brought it about; nothing of that for the oldest one that is known. */
export interface Version {
  values: Values;
  at?: string | undefined;
  by?: string | null | undefined;
}

export interface SourceThen {
  /** The value of the source at that time. */
  value: unknown;
  /** False if the translation has been the same in all versions that are known. */
  isDecided: boolean;
  /** The newest change to the source after that time. */
  change: Pick<Version, 'at' | 'by'> | undefined;
}

/** Finds what a source said when its translation was last changed, in versions from the newest to the oldest. */
export function findSourceThen(versions: readonly Version[], { source, target }: { source: string; target: string }): SourceThen | undefined {
  const brings = (at: number, slot: string) => {
    const [is, was] = [versions[at], versions[at + 1]];
    return is !== undefined && was !== undefined && !isSameValue(is.values[slot], was.values[slot]);
  };
  const places = [...versions.keys()];
  const translated = places.findIndex((at) => brings(at, target));
  const then = versions[translated === -1 ? versions.length - 1 : translated];
  if (!then) return undefined;
  const change = versions[places.findIndex((at) => brings(at, source))];
  return { value: then.values[source], isDecided: translated !== -1, change };
}
