import type { NodeRun } from '../../engine/node-run.js';
import { accessFilters, accessFiltersIn } from '../resources/access-filters.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
import { filled, writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  accessFilters,
  writeMode('jsonTemplate', 'payloadPath'),
  setting.group({
    certificateTemplate: setting.requiredTemplate,
    statusTemplate: setting.template,
    deviceIdTemplate: setting.template,
    resultPath: setting.target,
  }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer((config, path) => {
    const { data } = path.payload;
    const certificate = config.document ? config.document(data) : certificateOf(config, data);
    return callApi(path, 'applicationCertificates.post', {}, certificate);
  }),
};

function certificateOf(config: Settings, data: unknown): Record<string, unknown> {
  const { addressFilterType, ...filters } = accessFiltersIn(config, data);
  const deviceId = config.deviceIdTemplate(data);
  return filled({
    ...filters,
    // Certificates can be used from any address. The API refuses any other filter, which must not be ignored.
    addressFilterType: addressFilterType === 'all' ? undefined : addressFilterType,
    certificate: config.certificateTemplate(data),
    status: config.statusTemplate(data),
    ...(deviceId !== '' && { deviceIds: [deviceId] }),
  });
}
