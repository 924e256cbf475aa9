import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, nullIfMissing, resultOrFault } from '../resources/call-api.js';
import { NO_DEVICES, ofId } from '../resources/device-selection.js';
import { advancedQuery, find, findWith } from '../resources/find.js';
import { findUser } from '../resources/experience-users.js';
import { renderedPairs, tagConditions, tagPairs } from '../resources/tag-pairs.js';
import * as setting from '../settings.js';

const MAX_ATTRIBUTES = 1_000;

const settings = setting.all(
  setting.group({
    findMethod: setting.text,
    idTemplate: setting.requiredTemplate,
    parentIdTemplate: setting.template,
    tags: tagPairs,
    queryTemplate: setting.required(advancedQuery),
    includeConnectionStatus: setting.flag(true),
    includeState: setting.flag(),
    attributes: setting.list(setting.template, MAX_ATTRIBUTES),
    tagsAsObject: setting.flag(),
    attributesAsObject: setting.flag(),
    resultPath: setting.required(setting.target),
  }),
  find,
);

type Settings = setting.Read<typeof settings>;

/** A device, as far as the node reads it. */
interface FoundDevice {
  readonly id: string;
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const found = resultOrFault(await findDevices(config, path));
    config.resultPath(path.payload, config.includeState ? await withState(found, config, path) : found);
    return undefined;
  },
};

async function findDevices(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const { tagsAsObject, attributesAsObject } = config;
  const shown = { tagsAsObject, attributesAsObject, excludeConnectionInfo: !config.includeConnectionStatus };
  const list = (query: unknown) => findWith(path, config, 'devices.get', { ...shown, query });
  const first = (query: unknown) =>
    findWith(path, { ...config, findMultiple: false }, 'devices.get', { ...shown, query });
  const id = () => config.idTemplate(data);
  switch (config.findMethod) {
    case '':
    case 'id': {
      const deviceId = id();
      return isId(deviceId)
        ? nullIfMissing(await callApi(path, 'device.get', { ...shown, deviceId }))
        : { result: null };
    }
    case 'name':
      return first({ name: { $eq: id() } });
    case 'query':
      return list(config.queryTemplate(data));
    case 'experienceGroupId':
      return list(ofId('experienceGroupId', id()));
    case 'experienceUserIdOrEmail': {
      const user = resultOrFault(await findUser(path, id())) as { id: string } | null;
      return list(user ? ofId('experienceUserId', user.id) : NO_DEVICES);
    }
    case 'findByParentId':
      return list(ofId('parentId', config.parentIdTemplate(data) || id()));
    case 'findByAnyTags':
      return list({ $or: tagConditions('tags', renderedPairs(config.tags, data)) });
    // Older nodes name the same search differently.
    default:
      return list({ $and: tagConditions('tags', renderedPairs(config.tags, data)) });
  }
}

/** Adds the newest values of attributes to the devices of a result of any form. */
async function withState(found: unknown, config: Settings, path: RunPath): Promise<unknown> {
  const devices = devicesOf(found);
  if (devices.length === 0) return found;
  const names = config.attributes.map((name) => name(path.payload.data)).filter((name) => name !== '');
  const query = { id: { $in: devices.map(({ id }) => id) } };
  const attributes = names.length > 0 ? names.join(',') : undefined;
  const answer = await callApi(path, 'devices.getCompositeState', {
    query,
    attributes,
    perPage: devices.length,
  });
  const { items } = resultOrFault(answer) as { items: { id: string; compositeState: unknown }[] };
  const states = new Map(items.map(({ id, compositeState }) => [id, compositeState]));
  const complete = (device: FoundDevice) => ({ ...device, compositeState: states.get(device.id) ?? {} });
  if (Array.isArray(found)) return devices.map(complete);
  return isPage(found) ? { ...found, items: devices.map(complete) } : complete(found as FoundDevice);
}

const isPage = (found: unknown): found is { items: FoundDevice[] } =>
  typeof found === 'object' && found !== null && 'items' in found;

function devicesOf(found: unknown): readonly FoundDevice[] {
  if (Array.isArray(found)) return found as FoundDevice[];
  if (isPage(found)) return found.items;
  return found ? [found as FoundDevice] : [];
}
