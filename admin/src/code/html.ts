/** The part of HTML that its colours need; nothing here judges the text. */
import type { StreamParser } from '@codemirror/language';

interface Place {
  /** Within a comment, a tag, or the text between tags. */
  inside: 'text' | 'tag' | 'comment';
}

/** Tells the parts of HTML apart, word by word. */
export const htmlParser: StreamParser<Place> = {
  name: 'html',
  startState: () => ({ inside: 'text' }),
  token(stream, place) {
    if (place.inside === 'comment') {
      if (stream.match(/^.*?-->/)) place.inside = 'text';
      else stream.skipToEnd();
      return 'comment';
    }
    if (place.inside === 'tag') return inTag(stream, place);
    if (stream.match('<!--')) {
      place.inside = 'comment';
      return 'comment';
    }
    if (stream.match(/^<\/?[A-Za-z][\w:-]*/)) {
      place.inside = 'tag';
      return 'tagName';
    }
    if (stream.match(/^&[#\w]+;/)) return 'escape';
    stream.next();
    stream.eatWhile(/[^<&]/);
    return null;
  },
};

function inTag(stream: Parameters<StreamParser<Place>['token']>[0], place: Place): string | null {
  if (stream.match(/^\/?>/)) {
    place.inside = 'text';
    return 'tagName';
  }
  if (stream.match(/^("[^"]*"?|'[^']*'?)/)) return 'attributeValue';
  if (stream.match(/^[^\s=>"'/]+/)) return 'attributeName';
  stream.next();
  return null;
}
