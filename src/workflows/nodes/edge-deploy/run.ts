import { isObject } from '../../../lib/json/json.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { isId } from '../../graph/graph.js';
import type { Compiled } from '../../language/compile.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import { advancedQuery } from '../resources/find.js';
import * as setting from '../settings.js';

const MAX_FLOWS = 25;
/** Devices of one release, which is also the largest page of devices. */
const MAX_DEVICES = 1_000;

/** Template of a version; `null` removes the workflow. */
const version: setting.Setting<Compiled<string | null>> = (raw, at) =>
  raw === null ? () => null : setting.template(raw, at);

const settings = setting.all(
  setting.variant(
    'flowsMethod',
    {
      stringTemplate: setting.group({
        flowsTemplate: setting.list(
          setting.group({ flowIdTemplate: setting.template, flowVersionTemplate: version }),
          MAX_FLOWS,
        ),
      }),
      payloadPath: setting.group({ flowsPayloadPath: setting.required(setting.path) }),
      jsonTemplate: setting.group({ flowsJsonTemplate: setting.required(setting.json) }),
    },
    'stringTemplate',
  ),
  setting.group({
    deviceIdTemplate: setting.template,
    deviceQueryTemplate: setting.optional(advancedQuery),
    resultPath: setting.target,
  }),
);

type Settings = setting.Read<typeof settings>;

/** Version of a workflow to deploy; `null` or blank removes the workflow. */
interface Release {
  readonly flowId: string;
  readonly version: string | null;
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const releases = releasesOf(config, path.payload.data);
    const devices = await devicesOf(config, path);
    const errors: object[] = [];
    for (const { flowId, version } of devices.length > 0 ? releases : []) {
      const answer = await callApi(
        path,
        'edgeDeployments.release',
        {},
        { flowId, version, deviceIds: devices },
      );
      if ('error' in answer) errors.push({ flowId, type: answer.error.type, message: answer.error.message });
    }
    const scheduled = devices.length > 0 ? releases.length - errors.length : 0;
    config.resultPath(path.payload, { success: errors.length === 0, scheduled, errors });
    return undefined;
  },
};

/** Returns what the node deploys. Throws a `RunFault` for anything else. */
function releasesOf(config: Settings, data: unknown): readonly Release[] {
  const [at, given] = flowsOf(config, data);
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_FLOWS)
    throw invalidSetting(at, `must be a list of 1 to ${MAX_FLOWS} workflows`);
  return given.map((one: unknown, i) => {
    const { flowId, version, flowVersion = version } = isObject(one) ? one : {};
    if (!isId(flowId)) throw invalidSetting(`${at}.${i}.flowId`, 'must be the ID of a workflow');
    if (typeof flowVersion !== 'string' && flowVersion !== null && flowVersion !== undefined)
      throw invalidSetting(`${at}.${i}.version`, 'must be the name of a version');
    return { flowId, version: flowVersion ?? null };
  });
}

function flowsOf(config: Settings, data: unknown): [name: string, flows: unknown] {
  switch (config.flowsMethod) {
    case 'payloadPath':
      return ['flowsPayloadPath', config.flowsPayloadPath(data)];
    case 'jsonTemplate':
      return ['flowsJsonTemplate', config.flowsJsonTemplate(data)];
    default:
      return [
        'flowsTemplate',
        config.flowsTemplate.map(({ flowIdTemplate, flowVersionTemplate }) => ({
          flowId: flowIdTemplate(data),
          version: flowVersionTemplate(data),
        })),
      ];
  }
}

/** Returns the IDs of the devices. Throws a `RunFault` if a query finds too many. */
async function devicesOf(
  { deviceIdTemplate, deviceQueryTemplate }: Settings,
  path: RunPath,
): Promise<readonly string[]> {
  const { data } = path.payload;
  const deviceId = deviceIdTemplate(data);
  if (isId(deviceId)) return [deviceId];
  if (!deviceQueryTemplate) throw invalidSetting('deviceIdTemplate', 'must be the ID of a device');
  const query = { $and: [{ deviceClass: { $eq: 'edgeCompute' } }, deviceQueryTemplate(data)] };
  const parameters = { query, perPage: MAX_DEVICES, excludeConnectionInfo: true };
  const found = resultOrFault(await callApi(path, 'devices.get', parameters));
  const { items, totalCount } = found as { items: readonly { id: string }[]; totalCount: number };
  if (totalCount > MAX_DEVICES)
    throw invalidSetting('deviceQueryTemplate', `must match at most ${MAX_DEVICES} devices`);
  return items.map(({ id }) => id);
}
