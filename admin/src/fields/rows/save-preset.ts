import { changeLatest } from '~/api/change-latest';
import { api, call } from '~/api/client';
import type { Preset } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { contentTypesQuery } from '~/api/session';
import { type DefinitionPath, withPreset } from './presets';

/** The field is no longer in the content type. */
export class FieldGone extends Error {}

/** Adds a preset to a field of a content type as it is on the server, whatever else was changed there. */
export async function savePreset(workspace: string, type: string, path: DefinitionPath, preset: Preset): Promise<void> {
  const params = { path: { collection: type } };
  await changeLatest(
    () => api.GET('/admin/api/content-types/{collection}', { params }),
    async (answer) => {
      const { data } = await call(Promise.resolve(answer));
      const changed = withPreset(data as unknown as Record<string, unknown>, path, preset);
      if (!changed) throw new FieldGone();
      const header = { 'If-Match': answer.response.headers.get('ETag') ?? '' };
      await call(api.PUT('/admin/api/content-types/{collection}', { params: { ...params, header }, body: { fields: changed.fields } as never }));
    },
  );
  await queryClient.invalidateQueries({ queryKey: contentTypesQuery(workspace).queryKey, exact: true });
  await queryClient.invalidateQueries({ queryKey: queryKeys.type(workspace, type) });
}
