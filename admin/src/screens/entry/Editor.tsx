import { PageHead } from '~/ui/PageHead';

export default function Editor() {
  return <PageHead title="Editor" />;
}
