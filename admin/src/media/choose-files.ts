/** Opens the browser's own dialog for files. Nothing happens if none is chosen. */
export function chooseFiles(options: Partial<Pick<HTMLInputElement, 'accept' | 'multiple'>>, onFiles: (files: readonly File[]) => void): void {
  const input = Object.assign(document.createElement('input'), options, { type: 'file', hidden: true });
  input.addEventListener('cancel', () => input.remove());
  input.addEventListener('change', () => {
    onFiles([...(input.files ?? [])]);
    input.remove();
  });
  // Some browsers open the dialog only for an input that is in the page.
  document.body.append(input);
  input.click();
}
