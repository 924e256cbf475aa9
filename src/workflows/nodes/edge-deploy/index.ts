import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Deploys workflows to edge devices, or removes them. */
export const edgeDeployNode: NodeKind = { type: 'EdgeDeployNode', classes: RESOURCE_CLASSES, run };
