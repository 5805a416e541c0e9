/** Embeds: Markdown has none, so a link that stands alone in its paragraph means one, as site generators read it. */

/** An address that stands alone. */
export interface Embed {
  address: string;
  /** The name of the site. */
  site: string;
  kind: 'video' | 'audio' | 'page';
}

const VIDEO = /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|loom\.com|peertube\.[a-z]+)$/;
const AUDIO = /(?:^|\.)(?:soundcloud\.com|spotify\.com|podcasts\.apple\.com|bandcamp\.com)$/;

/** Reads the text of a paragraph; nothing if it is more than an address of the web. */
export function readEmbed(paragraph: string): Embed | undefined {
  const [, angled, bare] = /^\s*(?:<(https?:\/\/[^\s<>]+)>|(https?:\/\/[^\s<>]+))\s*$/.exec(paragraph) ?? [];
  const address = angled ?? bare;
  if (!address || !URL.canParse(address)) return undefined;
  const site = new URL(address).hostname.replace(/^www\./, '');
  return { address, site, kind: VIDEO.test(site) ? 'video' : AUDIO.test(site) ? 'audio' : 'page' };
}
