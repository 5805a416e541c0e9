import { PageHead } from '~/ui/PageHead';

export default function TypeEditor() {
  return <PageHead title="TypeEditor" />;
}
