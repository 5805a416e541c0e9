/** The version of an entry that readers get, as long as they may; others are in changes. */
export const LIVE = 'live';
