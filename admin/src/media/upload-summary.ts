import { t } from '~/i18n';
import { lacksAlt } from './filter';
import { isActive, type Upload } from './upload-queue';

/** Checks whether the list asks for the alt text of an upload. */
export function wantsAlt({ describes, state, item }: Upload): boolean {
  return describes && state === 'done' && item !== undefined && lacksAlt(item);
}

/** Returns the progress of all uploads as a sentence. */
export function uploadSummary(list: readonly Upload[]): string {
  const active = list.filter(isActive).length;
  const failed = list.filter((it) => it.state === 'failed').length;
  const done = list.filter((it) => it.state === 'done').length;
  const asking = list.filter(wantsAlt).length;
  if (active > 0) return t('media.upload.running', { count: active });
  if (failed > 0) return t('media.upload.failed', { count: failed });
  return asking > 0 ? t('media.upload.describe', { count: asking }) : t('media.upload.done', { count: done });
}
