import { PageHead } from '~/ui/PageHead';

export default function Settings() {
  return <PageHead title="Settings" />;
}
