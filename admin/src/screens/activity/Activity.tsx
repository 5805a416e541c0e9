import { PageHead } from '~/ui/PageHead';

export default function Activity() {
  return <PageHead title="Activity" />;
}
