import { PageHead } from '~/ui/PageHead';

export default function Types() {
  return <PageHead title="Types" />;
}
