import { defineConfig } from 'astro/config';
import rehypeSanitize from 'rehype-sanitize';

export default defineConfig({
  trailingSlash: 'always',
  redirects: { '/': '/en/' },
  markdown: { rehypePlugins: [rehypeSanitize] },
  server: { port: 3000 },
  devToolbar: { enabled: false },
});
