/** Texts about saves that fail, and damaged files. */
export default {
  'saving.back': 'The server is back. Try again.',
  'saving.broken': 'This file was damaged outside Recto. You see the last good version.',
  'saving.broken.ask': 'Someone with the permission “settings.update” can restore it.',
  'saving.broken.details': 'Details',
  'saving.broken.readOnly': 'Damaged file',
  'saving.broken.restore': 'Restore this version',
  'saving.broken.restored': 'Restored. Recto keeps the damaged file for a week: {path}',
  'saving.broken.show': 'Show problem',
  'saving.failed': 'Not saved:',
  'saving.failedState': 'Not saved',
  'saving.offline': 'Can’t reach the server.',
  'saving.waiting': { one: 'Trying again in {count} second', other: 'Trying again in {count} seconds' },
} as const;
