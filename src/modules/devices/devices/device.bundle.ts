import { bundled } from '../../../platform/bundles/bundled.js';
import { namedItems, pairs } from '../../../platform/bundles/forms.js';
import { DevicePost, DEVICES } from './device.resource.js';
import { newDevice } from './device.rules.js';

/** Exported as a tree: children of a deleted device are exported without a parent. */
export const BUNDLED_DEVICES = bundled({
  holding: DEVICES,
  resourceType: 'DeviceTree',
  placeholderWord: 'device',
  place: { file: () => 'devices' },
  post: DevicePost,
  parent: 'parentId',
  links: ['gatewayId'],
  option: 'includeDevices',
  converters: { attributes: namedItems('name'), tags: pairs },
  row: newDevice,
});
