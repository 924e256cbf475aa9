import type { RunPath } from '../../engine/node-run.js';
import { isId } from '../../graph/graph.js';
import {
  deviceSelection,
  deviceTags,
  MAX_SELECTORS,
  NO_DEVICES,
  ofId,
} from '../resources/device-selection.js';
import { resultOrFault } from '../resources/call-api.js';
import { findUser } from '../resources/experience-users.js';
import { advancedQuery } from '../resources/find.js';
import * as setting from '../settings.js';

/** Settings of nodes that select devices whose values they read. */
export const seriesDevices = setting.group({
  findMethod: setting.text,
  deviceIds: setting.list(setting.text, MAX_SELECTORS),
  deviceTags,
  deviceIdsPath: setting.optional(setting.path),
  queryTemplate: setting.required(advancedQuery),
  expUserTemplate: setting.template,
  expGroupIdTemplate: setting.template,
  parentIdTemplate: setting.template,
});

/** Returns the selection of devices, as bodies of the API have it, or `undefined` if it selects none. */
export async function selectedDevices(
  config: setting.Read<typeof seriesDevices>,
  path: RunPath,
): Promise<object | undefined> {
  const { data } = path.payload;
  const byId = (property: string, id: string) => ({ deviceQuery: ofId(property, id) });
  switch (config.findMethod) {
    case 'query':
      return { deviceQuery: config.queryTemplate(data) };
    case 'expGroupId':
      return byId('experienceGroupId', config.expGroupIdTemplate(data));
    case 'parentId':
      return byId('parentId', config.parentIdTemplate(data));
    case 'expUser': {
      const user = resultOrFault(await findUser(path, config.expUserTemplate(data))) as { id: string } | null;
      return user ? byId('experienceUserId', user.id) : { deviceQuery: NO_DEVICES };
    }
    // Older nodes have another method with the path.
    default:
      return config.deviceIdsPath
        ? deviceSelection(config.deviceIdsPath(data), [])
        : deviceSelection(config.deviceIds.filter(isId), config.deviceTags);
  }
}
