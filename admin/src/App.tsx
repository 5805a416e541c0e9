import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Fragment, useSyncExternalStore } from 'react';
import { queryClient } from './api/query';
import { NONCE } from './base';
import { languageVersion, onLanguage } from './i18n/switch';
import { router } from './router';
import { Overlays } from './shell/Overlays';
import { schemeManager } from './theme/scheme';
import { cssVariables, theme } from './theme/theme';

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
        // The sheets have no colours and sizes to leave out.
        deduplicateCssVariables={false}
      >
        <QueryClientProvider client={queryClient}>
          <Fragment key={version}>
            <Overlays />
            <RouterProvider router={router} />
          </Fragment>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
