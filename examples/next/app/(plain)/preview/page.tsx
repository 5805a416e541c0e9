import { Page } from '../../../components/Page';
import { Preview } from '../../../components/Preview';
import { server } from '../../../lib/recto';

export const metadata = { title: 'Preview – Field Notes', robots: 'noindex' };

export default function PreviewPage() {
  return (
    <Page locale="en">
      <Preview server={server} />
    </Page>
  );
}
