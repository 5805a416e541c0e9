import { PageHead } from '~/ui/PageHead';

export default function History() {
  return <PageHead title="History" />;
}
