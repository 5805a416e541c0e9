import { Text } from '@mantine/core';
import { useContentType } from '~/api/session';
import { Message } from '~/ui/Message';
import { useWorkspace } from '~/workspace';
import { fieldAt } from './fields';

interface FieldMessagesProps {
  /** The content type of the entry. */
  type: string;
  messages: readonly { path: string; message: string }[];
}

/** The messages about values of an entry, each with the name of its field. */
export function FieldMessages({ type: name, messages }: FieldMessagesProps) {
  const type = useContentType(useWorkspace(), name);
  return messages.map(({ path, message }) => (
    <Text key={path} size="sm">
      {path && <b>{fieldAt(type, path).label}: </b>}
      <Message text={message} />
    </Text>
  ));
}
