/** The limits of files are round numbers of these: 104 857 600 bytes are 100 MiB. */
const MEBIBYTE = 1024 ** 2;

export function toMebibytes(bytes: number): number {
  return bytes / MEBIBYTE;
}

export function toBytes(mebibytes: number): number {
  return Math.round(mebibytes * MEBIBYTE);
}
