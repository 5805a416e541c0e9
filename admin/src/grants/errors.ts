/** Returns the server's messages about one grant of a list, by the path within it. */
export function errorsOfGrant(errors: Readonly<Record<string, string>>, index: number): Record<string, string> {
  const prefix = `permissions[${index}]`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) =>
      path === prefix || path.startsWith(`${prefix}.`) ? [[path.slice(prefix.length + 1), message]] : [],
    ),
  );
}
