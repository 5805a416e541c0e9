/** Returns the height of an editor in lines, as the variables that `code.module.css` reads. */
export function heightInLines(min: number, max?: number): Record<`--${string}`, string> {
  return { '--code-min': String(min), ...(max && { '--code-max': String(max) }) };
}
