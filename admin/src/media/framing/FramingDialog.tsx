import { useQuery } from '@tanstack/react-query';
import { Waiting } from '~/ui/Waiting';
import { mediaItemQuery } from '../queries';
import { Framing } from './Framing';

/** The content of the dialog for the focal point and the crop of a picture. */
export default function FramingDialog({ workspace, filename }: { workspace: string; filename: string }) {
  const { data } = useQuery(mediaItemQuery(workspace, filename));
  return data ? <Framing workspace={workspace} item={data} /> : <Waiting what={filename} heights={[280]} />;
}
