import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, notFound, writesAnswer } from '../resources/call-api.js';
import {
  attributesIn,
  deviceFields,
  plainFields,
  replacedAttributes,
  replacedTags,
  type RenderedAttribute,
} from '../resources/device-fields.js';
import { keyedPairs, type TagPair } from '../resources/tag-pairs.js';
import { writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  deviceFields,
  writeMode('deviceJsonTemplate', 'devicePayloadPath'),
  setting.group({ idTemplate: setting.requiredTemplate, resultPath: setting.target }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(updateDevice),
};

/** A document replaces tags and attributes; individual fields change those whose keys and names they have. */
async function updateDevice(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const { tagsAsObject, attributesAsObject } = config;
  const deviceId = config.idTemplate(data);
  if (!isId(deviceId)) return notFound('Device');
  const write = (device: unknown) =>
    callApi(path, 'device.patch', { deviceId, tagsAsObject, attributesAsObject }, device);
  if (config.document) return write(config.document(data));
  const fields = plainFields(config, data);
  const tags = keyedPairs(config.deviceTags, data);
  const attributes = attributesIn(config, data);
  if (tags.length === 0 && attributes.length === 0) return write(fields);
  const current = await callApi(path, 'device.get', { deviceId, excludeConnectionInfo: true });
  if ('error' in current) return current;
  const device = current.result as { tags: TagPair[]; attributes: RenderedAttribute[] };
  return write({
    ...fields,
    ...(tags.length > 0 && { tags: replacedTags(device.tags, tags) }),
    ...(attributes.length > 0 && { attributes: replacedAttributes(device.attributes, attributes) }),
  });
}
