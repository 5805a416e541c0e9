/** The class of a media file, by its MIME type or, where only the name is known, by that. */

/** The sorts of files, as people think of them and the server filters them. */
export const MEDIA_CLASSES = ['image', 'video', 'audio', 'document', 'archive', 'other'] as const;
/** One of them. */
export type MediaClass = (typeof MEDIA_CLASSES)[number];

const ARCHIVES = ['zip', 'gzip', 'x-tar', 'x-bzip2', 'x-xz', 'zstd', 'x-7z-compressed', 'vnd.rar'];

/** The sort of a MIME type, as the server's `type` filter divides them. */
export function mediaClass(mime: string): MediaClass {
  const [kind, name = ''] = mime.split('/');
  if (kind === 'image' || kind === 'video' || kind === 'audio') return kind;
  if (kind === 'text') return 'document';
  if (kind !== 'application' || name === 'octet-stream') return 'other';
  return ARCHIVES.includes(name) ? 'archive' : 'document';
}

/** The types that a name can promise, as far as it makes a difference to how the file is shown. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp', avif: 'image/avif',
  svg: 'image/svg+xml', ico: 'image/x-icon', mp4: 'video/mp4', m4v: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime',
  ogv: 'video/ogg', mkv: 'video/x-matroska', avi: 'video/x-msvideo', mpg: 'video/mpeg', mpeg: 'video/mpeg', mp3: 'audio/mpeg',
  m4a: 'audio/mp4', aac: 'audio/aac', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg', wav: 'audio/wav',
  flac: 'audio/flac', pdf: 'application/pdf', txt: 'text/plain', csv: 'text/csv', md: 'text/markdown', json: 'application/json',
  zip: 'application/zip', gz: 'application/gzip', tgz: 'application/gzip', tar: 'application/x-tar', bz2: 'application/x-bzip2',
  xz: 'application/x-xz', zst: 'application/zstd', '7z': 'application/x-7z-compressed', rar: 'application/vnd.rar',
  doc: 'application/msword', docx: 'application/msword', odt: 'application/msword', rtf: 'application/rtf',
  xls: 'application/vnd.ms-excel', xlsx: 'application/vnd.ms-excel', ods: 'application/vnd.ms-excel', epub: 'application/epub+zip',
  ppt: 'application/vnd.ms-powerpoint', pptx: 'application/vnd.ms-powerpoint', odp: 'application/vnd.ms-powerpoint',
};

/** The end of a name after its last dot, in small letters. */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot > 0 ? filename.slice(dot + 1).toLowerCase() : '';
}

/** Guesses the MIME type from a name. */
export function mimeOfName(filename: string): string {
  return BY_EXTENSION[extensionOf(filename)] ?? 'application/octet-stream';
}

/** The pictures that the server makes small ones of. */
export function hasThumbnail(mime: string): boolean {
  return ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].includes(mime);
}

/** Checks whether a field that takes these patterns (`image/*`, `.pdf`) takes the file; none take all. */
export function acceptsFile(file: { mime: string; filename: string }, patterns: readonly string[] | undefined): boolean {
  if (!patterns?.length) return true;
  return patterns.some((pattern) => {
    if (pattern === '*' || pattern === '*/*') return true;
    if (pattern.startsWith('.')) return file.filename.toLowerCase().endsWith(pattern.toLowerCase());
    if (pattern.endsWith('/*')) return file.mime.startsWith(pattern.slice(0, -1));
    return file.mime === pattern;
  });
}

/** The one sort of file that all patterns are about: what the server can be asked for. */
export function classOfPatterns(patterns: readonly string[] | undefined): MediaClass | undefined {
  const classes = new Set(
    (patterns ?? []).map((pattern) =>
      mediaClass(pattern.startsWith('.') ? mimeOfName(`x${pattern}`) : pattern.replace('/*', '/x')),
    ),
  );
  const [only] = classes;
  return classes.size === 1 && only !== 'other' ? only : undefined;
}
