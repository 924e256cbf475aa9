import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, mapResult, notFound, writesAnswer } from '../resources/call-api.js';
import { advancedQuery } from '../resources/find.js';
import * as setting from '../settings.js';

const settings = setting.group({
  dataMethod: setting.word('id', 'query'),
  deviceIdTemplate: setting.requiredTemplate,
  deviceQueryJsonTemplate: setting.required(advancedQuery),
  resultPath: setting.target,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(deleteDevices),
};

async function deleteDevices(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  if (config.dataMethod === 'query')
    return callApi(path, 'devices.delete', {}, { query: config.deviceQueryJsonTemplate(data) });
  const deviceId = config.deviceIdTemplate(data);
  if (!isId(deviceId)) return notFound('Device');
  return mapResult(await callApi(path, 'device.delete', { deviceId }), () => true);
}
