import { PageHead } from '~/ui/PageHead';

export default function Webhooks() {
  return <PageHead title="Webhooks" />;
}
