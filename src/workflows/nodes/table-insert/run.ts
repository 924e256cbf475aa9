import type { NodeRun } from '../../engine/node-run.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
import { rowFields, rowOf } from '../resources/row-fields.js';
import { writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    dataTableIdTemplate: setting.requiredTemplate,
    rowFields,
    resultPath: setting.target,
  }),
  writeMode('rowJsonTemplate', 'rowPayloadPath'),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer((config, path) => {
    const { data } = path.payload;
    const dataTableId = config.dataTableIdTemplate(data);
    const row = config.document ? config.document(data) : rowOf(config.rowFields, data);
    return callApi(path, 'dataTableRows.post', { dataTableId }, row);
  }),
};
