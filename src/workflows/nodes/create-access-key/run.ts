import type { NodeRun } from '../../engine/node-run.js';
import { accessFilters, accessFiltersIn } from '../resources/access-filters.js';
import { callApi, resultOf } from '../resources/call-api.js';
import { filled, writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  accessFilters,
  writeMode('jsonTemplate', 'payloadPath'),
  setting.group({
    nameTemplate: setting.template,
    statusTemplate: setting.template,
    resultPath: setting.target,
  }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const key = config.document ? config.document(payload.data) : keyOf(config, payload.data);
    config.resultPath(payload, resultOf(await callApi(path, 'applicationKeys.post', {}, key)));
    return undefined;
  },
};

function keyOf(config: Settings, data: unknown): Record<string, unknown> {
  const status = config.statusTemplate(data);
  return filled({
    ...accessFiltersIn(config, data),
    name: config.nameTemplate(data),
    // New keys are active. The API refuses any other status, which must not be ignored.
    status: status === 'active' ? undefined : status,
  });
}
