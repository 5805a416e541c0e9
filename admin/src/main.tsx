import '@mantine/core/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { NONCE } from './base';
import { reloadIfReplaced } from './fresh';
import { preferredLanguage, setLanguage } from './i18n';
import { listenForEscape } from './ui/dialogs';
// Behind the styles of the components, some of which it changes.
import './theme/global.css';

// After an upgrade the server has the chunks of the new build only: fetch the page anew. Not in a
// hook, because the first chunk can be missing already.
window.addEventListener('vite:preloadError', () => void reloadIfReplaced());

listenForEscape();

// Dialogs keep the page behind them from scrolling with a style of their own, whose maker asks here.
Object.assign(globalThis, { __webpack_nonce__: NONCE });

const root = document.getElementById('root');
if (root) {
  await setLanguage(preferredLanguage());
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
