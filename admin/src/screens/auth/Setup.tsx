import { PageHead } from '~/ui/PageHead';

export default function Setup() {
  return <PageHead title="Setup" />;
}
