// Recto: previews in your own site. See docs/guides/preview.md.
const at = new URL(import.meta.url);
const admin = at.searchParams.get('admin') ?? at.origin;
let onEntry;

/** The token of the preview link that this page was opened with, or null. */
export const token = new URLSearchParams(location.search).get('recto');

/** Adds the token to an address of the public API. */
export function previewed(url) {
  const address = new URL(url, location.href);
  if (token) address.searchParams.set('preview', token);
  return address.href;
}

/**
 * Calls back with the entry as the API returns it, while somebody types, instead of reloading the
 * page when it is saved. `query` shapes it: `include=author`.
 */
export function live(callback, query = '') {
  onEntry = callback;
  tell({ ready: 'live', query });
}

const inFrame = token && parent !== window;

function tell(message) {
  if (inFrame) parent.postMessage({ recto: 1, ...message }, admin);
}

if (token) document.head.append(Object.assign(document.createElement('meta'), { name: 'referrer', content: 'same-origin' }));

if (inFrame) {
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== admin || source !== parent || data?.recto !== 1) return;
    if (!onEntry && data.saved) location.reload();
    // None, if it was sent before the callback was there.
    if (onEntry && data.entry) onEntry(data.entry, data);
  });
  addEventListener('click', (event) => {
    const part = event.target.closest('[data-recto]');
    if (!part || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    tell({ edit: part.dataset.recto });
  }, true);
  const style = new CSSStyleSheet();
  style.replaceSync('[data-recto]:hover{outline:2px dashed;outline-offset:2px;cursor:pointer}');
  document.adoptedStyleSheets.push(style);
  tell({ ready: 'reload' });
}
