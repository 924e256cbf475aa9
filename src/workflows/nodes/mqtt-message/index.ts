import { isPlatformTopic } from '../../graph/class-rules.js';
import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type MqttMessageConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const mqttMessageNode: NodeKind<MqttMessageConfig> = {
  type: 'MqttMessageNode',
  classes: FLOW_CLASSES,
  check: (node, context) =>
    !context.rules.allowsPlatformTopics && isPlatformTopic(node.config?.topicTemplate, context)
      ? `config.topicTemplate must not begin with ${context.topicPrefix}/`
      : undefined,
  config,
  embedded,
  run,
};
