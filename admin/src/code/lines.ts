/** How high an editor is, told in lines: the variables that `code.module.css` reads. */
export function lines(min: number, max?: number): Record<`--${string}`, string> {
  return { '--code-min': String(min), ...(max && { '--code-max': String(max) }) };
}
