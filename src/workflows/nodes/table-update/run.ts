import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { callApi, notFound, writesAnswer } from '../resources/call-api.js';
import { advancedQuery } from '../resources/find.js';
import { rowFields, rowOf } from '../resources/row-fields.js';
import { writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    dataTableIdTemplate: setting.requiredTemplate,
    rowSelectType: setting.word('id', 'query'),
    rowIdTemplate: setting.requiredTemplate,
    queryTemplate: setting.optional(advancedQuery),
    upsertCheck: setting.flag(),
    rowFields,
    resultPath: setting.target,
  }),
  writeMode('rowJsonTemplate', 'rowPayloadPath'),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(updateRow),
};

/** Changes the first row that matches, or adds one if the node asks for that. */
async function updateRow(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const dataTableId = config.dataTableIdTemplate(data);
  const row = config.document ? config.document(data) : rowOf(config.rowFields, data);
  const rowId = await rowIdOf(config, path, dataTableId);
  if (typeof rowId === 'object') return rowId;
  const answer =
    rowId === undefined
      ? notFound('Data Table Row')
      : await callApi(path, 'dataTableRow.patch', { dataTableId, rowId }, row);
  const isMissing = 'error' in answer && answer.error.statusCode === 404;
  return isMissing && config.upsertCheck ? callApi(path, 'dataTableRows.post', { dataTableId }, row) : answer;
}

/** Returns the ID of the row, `undefined` if none matches, or the error of the search. */
async function rowIdOf(
  { rowSelectType, rowIdTemplate, queryTemplate }: Settings,
  path: RunPath,
  dataTableId: string,
): Promise<string | undefined | ApiResult> {
  const { data } = path.payload;
  if (rowSelectType === 'id') return rowIdTemplate(data);
  const answer = await callApi(
    path,
    'dataTableRows.query',
    { dataTableId, limit: 1 },
    queryTemplate?.(data) ?? {},
  );
  return 'error' in answer ? answer : (answer.result as { items: { id: string }[] }).items[0]?.id;
}
