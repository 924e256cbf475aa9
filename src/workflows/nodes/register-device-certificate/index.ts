import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Registers a device certificate. */
export const registerDeviceCertificateNode: NodeKind = {
  type: 'RegisterDeviceCertificateNode',
  classes: RESOURCE_CLASSES,
  run,
};
