import { PageHead } from '~/ui/PageHead';

export default function Problems() {
  return <PageHead title="Problems" />;
}
