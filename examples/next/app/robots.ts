import type { MetadataRoute } from 'next';
import { sitemap } from '../lib/recto';

export const dynamic = 'force-static';

export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', disallow: '/preview/' }, sitemap };
}
