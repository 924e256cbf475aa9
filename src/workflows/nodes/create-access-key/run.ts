import type { NodeRun } from '../../engine/node-run.js';
import { accessFilters, accessFiltersIn } from '../resources/access-filters.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
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
  prepare: writesAnswer((config, path) => {
    const { data } = path.payload;
    const key = config.document ? config.document(data) : keyOf(config, data);
    return callApi(path, 'applicationKeys.post', {}, key);
  }),
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
