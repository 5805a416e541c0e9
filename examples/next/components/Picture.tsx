import { image } from '@recto/client';
import type { MediaItem } from '../lib/recto-types';

interface Props {
  picture: MediaItem;
  sizes: string;
  className?: string;
  /** The picture that is seen first must not wait for the page's layout. */
  first?: boolean;
}

export function Picture({ picture, sizes, className, first }: Props) {
  const { srcset, ...attributes } = image(picture, sizes);
  return (
    <img
      {...attributes}
      {...(first && { loading: 'eager', fetchPriority: 'high' })}
      srcSet={srcset}
      className={className}
      style={{ background: picture.color ?? undefined }}
    />
  );
}
