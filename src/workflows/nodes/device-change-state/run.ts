import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { invalidSetting } from '../../engine/run-error.js';
import { isId } from '../../graph/graph.js';
import { callApi, notFound, writesAnswer } from '../resources/call-api.js';
import { filled } from '../resources/write-mode.js';
import { payloadTime } from '../run-values.js';
import * as setting from '../settings.js';

const MAX_ATTRIBUTES = 1_000;

const settings = setting.all(
  setting.group({
    attrInfos: setting.list(
      setting.group({ key: setting.text, valueTemplate: setting.value }),
      MAX_ATTRIBUTES,
    ),
    attrJsonTemplate: setting.optional(setting.json),
    attrPayloadPath: setting.path,
    attrDataMethod: setting.word('individualFields', 'payloadPath', 'jsonTemplate'),
    timeSourceType: setting.word('payloadTime', 'now', 'payloadPath'),
    timeSourcePath: setting.path,
    flowVersionTemplate: setting.template,
    resultPath: setting.target,
  }),
  setting.formed('deviceIdTemplateType', 'deviceId', 'stringTemplate', 'jsonPath'),
  setting.formed('metaTemplateType', 'metaTemplate', 'stringTemplate', 'jsonTemplate', 'jsonPath'),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(report),
};

async function report(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  // A gateway reports for itself unless the node names a device.
  const deviceId = config.deviceId?.(data) || path.run.ports.edge?.deviceId;
  if (deviceId === undefined || deviceId === '' || deviceId === null)
    throw invalidSetting('deviceId', 'is required');
  if (!isId(deviceId)) return notFound('Device');
  const common = filled({
    time: timeOf(config, data),
    meta: config.metaTemplate?.(data),
    flowVersion: config.flowVersionTemplate(data),
  });
  const states = statesOf(config, data).map((state) => ({ ...common, ...state }));
  return callApi(path, 'device.sendState', { deviceId }, states.length === 1 ? states[0] : states);
}

/** Returns the time of states without one of their own, or `undefined` for now. */
function timeOf({ timeSourceType, timeSourcePath }: Settings, data: unknown): unknown {
  if (timeSourceType === 'now') return undefined;
  return timeSourceType === 'payloadTime' ? payloadTime(data) : timeSourcePath(data);
}

/** Returns the states to report: attributes with values, or states with a time of their own. */
function statesOf(config: Settings, data: unknown): object[] {
  const { attrDataMethod, attrInfos, attrJsonTemplate, attrPayloadPath } = config;
  if (attrDataMethod === 'individualFields') {
    const given = attrInfos.map(({ key, valueTemplate }) => [key, valueTemplate(data)]);
    return [
      { data: filled(Object.fromEntries(given.filter(([key]) => key !== '')) as Record<string, unknown>) },
    ];
  }
  const found = attrDataMethod === 'payloadPath' ? attrPayloadPath(data) : attrJsonTemplate?.(data);
  const items: readonly unknown[] = Array.isArray(found) ? found : [found];
  return items.map((item) => (isState(item) ? stateOf(item) : { data: item ?? {} }));
}

/** An attribute can be named `data`, but its value is never an object. */
const isState = (item: unknown): item is { data: object; time?: unknown; meta?: unknown } =>
  typeof item === 'object' &&
  item !== null &&
  'data' in item &&
  typeof item.data === 'object' &&
  item.data !== null;

const stateOf = ({ data, time, meta }: { data: object; time?: unknown; meta?: unknown }): object => ({
  data,
  ...filled({ time, meta }),
});
