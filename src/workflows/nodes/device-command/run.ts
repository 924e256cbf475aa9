import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { callApi } from '../resources/call-api.js';
import { deviceSelection, deviceTags, MAX_SELECTORS } from '../resources/device-selection.js';
import { advancedQuery } from '../resources/find.js';
import { filled } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    deviceIdsPath: setting.optional(setting.path),
    sendToDeviceIds: setting.list(setting.text, MAX_SELECTORS),
    sendToDeviceTags: deviceTags,
    deviceQueryJsonTemplate: setting.optional(advancedQuery),
    nameTemplate: setting.requiredTemplate,
  }),
  setting.formed('payloadTemplateType', 'payloadTemplate', 'json', 'path', 'string'),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const { data } = path.payload;
    const name = config.nameTemplate(data);
    const payload = config.payloadTemplate?.(data);
    const devices = devicesOf(config, path);
    if (devices) await callApi(path, 'devices.sendCommand', {}, filled({ name, payload, ...devices }));
    return undefined;
  },
};

/** Returns the selection of devices, by the settings that are present, or `undefined` if it selects none. */
function devicesOf(config: Settings, { payload: { data } }: RunPath): Record<string, unknown> | undefined {
  if (config.deviceQueryJsonTemplate) return { deviceQuery: config.deviceQueryJsonTemplate(data) };
  const found = config.deviceIdsPath?.(data);
  const ids = [...(Array.isArray(found) ? (found as unknown[]) : [found]), ...config.sendToDeviceIds];
  return deviceSelection(ids, config.sendToDeviceTags);
}
