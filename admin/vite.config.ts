import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { groups } from './build/chunks.ts';
import { preloadScreens } from './build/preload.ts';
import { splitLibraryStyles } from './build/styles.ts';

// The server gives every build a directory of its own, so names stay the same from build to build,
// and every address in the bundle is relative: it works below any base path.
export default defineConfig({
  base: './',
  plugins: [react(), splitLibraryStyles(), preloadScreens()],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: '[name]_[local]' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    modulePreload: { polyfill: false },
    // Inlined pictures would need `data:` in more places than the policy allows.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
        codeSplitting: { groups },
      },
    },
  },
  server: { proxy: { '/admin/api': 'http://127.0.0.1:8080', '/media': 'http://127.0.0.1:8080' } },
  // One worker with one set of modules runs all files, in any order: most of the time of the tests is the
  // import of the sources.
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['build/test-setup.ts'],
    isolate: false,
    sequence: { shuffle: { files: true } },
  },
});
