/** Left and right, Home and End move the focus among the buttons of a toolbar. */
export function moveInToolbar(event: React.KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > button')];
  const from = buttons.indexOf(document.activeElement as HTMLElement);
  const to = target(event.key, from, buttons.length);
  const next = to === undefined || from < 0 ? undefined : buttons[to];
  if (!next) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

function target(key: string, from: number, count: number): number | undefined {
  const right = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const left = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
  if (key === right) return (from + 1) % count;
  if (key === left) return (from - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
