/** The picture of a media file, else an icon for its kind. */
export function MediaThumb(_: { workspace: string; filename: string; size?: number; alt?: string }) {
  return null;
}
