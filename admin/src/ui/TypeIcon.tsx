/** The icons that a content type can have. */
import {
  IconAddressBook, IconAlbum, IconApps, IconArchive, IconArticle, IconBell, IconBolt, IconBook, IconBookmark, IconBriefcase,
  IconBuilding, IconCalendar, IconCamera, IconChartBar, IconCode, IconCoin, IconDatabase, IconFile, IconFileText, IconFlag,
  IconFolder, IconGift, IconGlobe, IconHeart, IconHelp, IconHome, IconKey, IconLayout, IconLink, IconList, IconMail,
  IconMap, IconMapPin, IconMenu2, IconMessage, IconMicrophone, IconMusic, IconNews, IconNote, IconPackage, IconPalette,
  IconPhone, IconPhoto, IconPin, IconPuzzle, IconQuote, IconRocket, IconSchool, IconSettings, IconShoppingCart, IconSitemap,
  IconStar, IconTag, IconTags, IconTicket, IconTool, IconTrophy, IconTruck, IconUser, IconUsers, IconVideo, IconWorld,
  type TablerIcon,
} from '@tabler/icons-react';

/** Icons by the name that a content type's `icon` has. */
export const TYPE_ICONS: Readonly<Record<string, TablerIcon>> = {
  'file-text': IconFileText, file: IconFile, article: IconArticle, news: IconNews, note: IconNote, book: IconBook, album: IconAlbum,
  bookmark: IconBookmark, folder: IconFolder, archive: IconArchive, tag: IconTag, tags: IconTags, sitemap: IconSitemap, list: IconList,
  home: IconHome, layout: IconLayout, menu: IconMenu2, link: IconLink, world: IconWorld, globe: IconGlobe, user: IconUser,
  users: IconUsers, 'address-book': IconAddressBook, building: IconBuilding, briefcase: IconBriefcase, school: IconSchool,
  calendar: IconCalendar, ticket: IconTicket, 'map-pin': IconMapPin, map: IconMap, mail: IconMail, phone: IconPhone, message: IconMessage,
  quote: IconQuote, help: IconHelp, bell: IconBell, photo: IconPhoto, camera: IconCamera, video: IconVideo, music: IconMusic,
  microphone: IconMicrophone, palette: IconPalette, 'shopping-cart': IconShoppingCart, package: IconPackage, truck: IconTruck,
  coin: IconCoin, gift: IconGift, star: IconStar, heart: IconHeart, trophy: IconTrophy, flag: IconFlag, pin: IconPin, bolt: IconBolt,
  rocket: IconRocket, puzzle: IconPuzzle, tool: IconTool, settings: IconSettings, key: IconKey, code: IconCode, database: IconDatabase,
  'chart-bar': IconChartBar, apps: IconApps,
};

/** Names that other icon sets have for the same. */
const ALIASES: Readonly<Record<string, string>> = {
  newspaper: 'news', 'user-round': 'user', 'folder-tree': 'sitemap', 'sticky-note': 'note', house: 'home', image: 'photo',
  'shopping-bag': 'shopping-cart', box: 'package', 'circle-help': 'help', megaphone: 'bell', 'book-open': 'book',
};

export function TypeIcon({ name, size = 18 }: { name: string; size?: number }) {
  const Icon = TYPE_ICONS[name] ?? TYPE_ICONS[ALIASES[name] ?? ''] ?? IconFileText;
  return <Icon size={size} stroke={1.7} aria-hidden />;
}
