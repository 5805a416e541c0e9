/** Writes a workspace with so many entries into a folder, the same every time. */
export function writeLargeFolder(folder: string, entries: number): void;
