import { withRecto } from '@recto/client/next';
import type { NextConfig } from 'next';

const config: NextConfig = { output: 'export', trailingSlash: true, experimental: { globalNotFound: true } };

// A build asks Recto once, for what changed since the last one.
export default withRecto(
  { url: process.env.RECTO_URL ?? 'http://localhost:8080', types: ['posts', 'authors', 'topics', 'start'] },
  config,
);
