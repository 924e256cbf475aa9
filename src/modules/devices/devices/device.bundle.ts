import { bundled } from '../../../platform/bundles/bundled.js';
import { namedItems, pairs } from '../../../platform/bundles/forms.js';
import { DevicePost, DEVICES } from './device.resource.js';
import { newDevice } from './device.rules.js';

/** As a tree: what stands below a device that is deleted stands alone. */
export const BUNDLED_DEVICES = bundled({
  holding: DEVICES,
  resourceType: 'DeviceTree',
  word: 'device',
  place: { file: () => 'devices' },
  post: DevicePost,
  parent: 'parentId',
  links: ['gatewayId'],
  option: 'includeDevices',
  forms: { attributes: namedItems('name'), tags: pairs },
  row: newDevice,
});
