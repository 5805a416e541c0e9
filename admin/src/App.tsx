import { DirectionProvider, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { queryClient } from './api/query';
import { NONCE } from './base';
import { t } from './i18n';
import { languageVersion, onLanguage } from './i18n/switch';
import { router } from './router';
import { schemeManager } from './theme/scheme';
import { cssVariables, theme } from './theme/theme';
import { Toasts } from './ui/Toasts';

/** The whole interface; mounted anew when its language changes. */
export function App() {
  const version = useSyncExternalStore(onLanguage, languageVersion);
  return (
    <DirectionProvider>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={schemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => NONCE}
      >
        <QueryClientProvider client={queryClient}>
          <ModalsProvider
            key={version}
            labels={{ confirm: t('general.confirm'), cancel: t('general.cancel') }}
            modalProps={{ closeButtonProps: { 'aria-label': t('general.close') } }}
          >
            {/* Which of them make way for others is decided where they are shown. */}
            <Toasts position="bottom-right" limit={100} />
            <RouterProvider router={router} />
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
