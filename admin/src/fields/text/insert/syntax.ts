/** The signs of Markdown around texts and addresses that may hold any signs themselves. */

/** The address of a link as it stands in parentheses: in angle brackets where it would end too early. */
export function formatDestination(address: string): string {
  const safe = address.trim().replaceAll(/[\s<>]/g, encodeURIComponent);
  return isBalanced(safe) ? safe : `<${safe}>`;
}

/** Checks whether every parenthesis has its other half; then a link ends where it should. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0 && !text.includes('\\');
}

/** A text within square brackets: on one line, its own brackets escaped. */
export function escapeLabel(text: string): string {
  return text.replaceAll(/[[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ').trim();
}

/** A link, `[text](address)`. */
export function formatLink(text: string, address: string): string {
  return `[${escapeLabel(text)}](${formatDestination(address)})`;
}

/** A picture, `![alt](address)`. */
export function formatPicture(alt: string, address: string): string {
  return `!${formatLink(alt, address)}`;
}

/** An address that stands for itself, `<https://…>`: every Markdown renderer makes it a link. */
export function formatAutolink(address: string): string {
  return `<${address.trim().replaceAll(/[\s<>]/g, encodeURIComponent)}>`;
}

const WEB_ADDRESS = /^https?:\/\/[^\s<>"]+$/i;
const MAIL_ADDRESS = /^(?:mailto:)[^\s<>"@]+@[^\s<>"@]+$/i;

/** Returns the text as an address of the web or of mail, if it is one and nothing else. */
export function parseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (MAIL_ADDRESS.test(trimmed)) return trimmed;
  return WEB_ADDRESS.test(trimmed) && URL.canParse(trimmed) ? trimmed : undefined;
}
