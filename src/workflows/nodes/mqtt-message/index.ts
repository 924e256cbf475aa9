import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type MqttMessageConfig } from './config.js';
import { embedded } from './emit.js';

export const mqttMessageNode: NodeKind<MqttMessageConfig> = {
  type: 'MqttMessageNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
};
