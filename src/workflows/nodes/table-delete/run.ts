import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { callApi, mapResult, writesAnswer } from '../resources/call-api.js';
import { advancedQuery } from '../resources/find.js';
import * as setting from '../settings.js';

const settings = setting.group({
  dataTableIdTemplate: setting.requiredTemplate,
  /** Required, because all rows would be deleted without it. */
  queryTemplate: setting.required(advancedQuery),
  rowIdTemplate: setting.template,
  limitTemplate: setting.template,
  resultPath: setting.target,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(deleteRows),
};

async function deleteRows(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const dataTableId = config.dataTableIdTemplate(data);
  const rowId = config.rowIdTemplate(data);
  if (rowId !== '') {
    const answer = await callApi(path, 'dataTableRow.delete', { dataTableId, rowId });
    return mapResult(answer, () => ({ result: true, count: 1 }));
  }
  const parameters = { dataTableId, limit: config.limitTemplate(data) };
  const answer = await callApi(path, 'dataTableRows.delete', parameters, config.queryTemplate(data));
  return mapResult(answer, ({ removed }: { removed: number }) => ({ result: true, count: removed }));
}
