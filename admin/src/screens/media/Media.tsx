import { PageHead } from '~/ui/PageHead';

export default function Media() {
  return <PageHead title="Media" />;
}
