import { PageHead } from '~/ui/PageHead';

export default function Explorer() {
  return <PageHead title="Explorer" />;
}
