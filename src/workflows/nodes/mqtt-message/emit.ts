import type { MqttMessageConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';
import { optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<MqttMessageConfig> = {
  runtime: code`import { publish } from '../../nodes/mqtt-message/wasm';`,
  emit: ({ topicTemplate, messageTemplate = '', qos = 0, resultPath }, to) => code`
    return publish(
      run,
      ${to.text(topicTemplate)},
      ${to.text(messageTemplate)},
      ${qos},
      ${optionalPath(to, resultPath)}
    );`,
};
