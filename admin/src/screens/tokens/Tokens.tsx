import { PageHead } from '~/ui/PageHead';

export default function Tokens() {
  return <PageHead title="Tokens" />;
}
