/** The id of the element that gets the focus for a path. */
export function fieldId(path: string): string {
  return `field-${path.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}`;
}
