import { sitemap } from '../recto';

export const GET = () => new Response(`User-agent: *\nDisallow: /preview/\nSitemap: ${sitemap}\n`);
