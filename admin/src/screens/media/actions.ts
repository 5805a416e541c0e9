/** The actions on files and categories. Each reports its result, and its failure. */
import { api, call } from '~/api/client';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { categoryName, joinCategory } from '~/media/categories';
import { refreshMedia } from '~/media/queries';
import { showDone, showError, showUndo } from '~/ui/feedback';

/** Puts files into a category; what they were in before can be brought back. */
export async function moveFiles(workspace: string, files: readonly Pick<MediaItem, 'filename' | 'category'>[], category: string) {
  const moved = files.filter((it) => it.category !== category);
  if (moved.length === 0) return;
  const names = moved.map((it) => it.filename);
  try {
    await putInto(names, category);
    const params = { count: names.length, category: category || t('media.category.none') };
    showUndo(t('media.moved', params), async () => {
      for (const before of new Set(moved.map((it) => it.category))) {
        await putInto(moved.filter((it) => it.category === before).map((it) => it.filename), before);
      }
      await refreshMedia(workspace);
    });
  } catch (error) {
    showError(error);
  }
  await refreshMedia(workspace);
}

function putInto(files: string[], category: string) {
  return call(api.PUT('/admin/api/media/bulk-category', { body: { files, category } }));
}

/** Says who may see files; what held before can be brought back. */
export async function setVisibility(
  workspace: string,
  files: readonly Pick<MediaItem, 'filename' | 'visibility'>[],
  visibility: MediaItem['visibility'],
) {
  const names = files.filter((it) => it.visibility !== visibility).map((it) => it.filename);
  if (names.length === 0) return;
  try {
    await show(names, visibility);
    showUndo(t(`media.made.${visibility}`, { count: names.length }), async () => {
      await show(names, visibility === 'public' ? 'private' : 'public');
      await refreshMedia(workspace);
    });
  } catch (error) {
    showError(error);
  }
  await refreshMedia(workspace);
}

function show(files: string[], visibility: MediaItem['visibility']) {
  return call(api.PUT('/admin/api/media/bulk-visibility', { body: { files, visibility } }));
}

/** Gives a category another path, with all that is in it, and tells which it is. */
export async function moveCategory(workspace: string, from: string, to: string): Promise<string> {
  const { data } = await call(
    api.PUT('/admin/api/media/categories/{category}', { params: { path: { category: from } }, body: { name: to } }),
  );
  await refreshMedia(workspace);
  showDone(t('media.category.moved', { from, to: data.name }));
  return data.name;
}

/** Makes a category, in another one or at the top, and tells its path. */
export async function createCategory(workspace: string, parent: string, name: string): Promise<string> {
  const body = { name, ...(parent && { parent }) };
  const { data } = await call(api.POST('/admin/api/media/categories', { body }));
  await refreshMedia(workspace);
  return data.name;
}

/** Deletes a category with those in it. Its files stay. */
export async function deleteCategory(workspace: string, category: string): Promise<void> {
  await call(api.DELETE('/admin/api/media/categories/{category}', { params: { path: { category } } }));
  await refreshMedia(workspace);
  showDone(t('media.category.deleted', { name: category }));
}

/** The path of a category after it was put into another one. */
export function pathWithin(path: string, parent: string): string {
  return joinCategory(parent, categoryName(path));
}
