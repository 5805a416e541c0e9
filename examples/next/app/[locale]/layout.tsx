import '../style.css';
import type { ReactNode } from 'react';
import { locales } from '../../lib/words';

export const dynamicParams = false;
export const generateStaticParams = () => locales.map((locale) => ({ locale }));
export const metadata = { icons: 'data:,' };

interface Props {
  params: Promise<{ locale: string }>;
  children: ReactNode;
}

export default async function Layout({ params, children }: Props) {
  const { locale } = await params;
  return (
    <html lang={locale}>
      <body>{children}</body>
    </html>
  );
}
