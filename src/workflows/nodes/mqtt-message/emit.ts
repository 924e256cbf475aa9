import { MQTT_MESSAGE } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind, optionalPath } from '../node-kind.js';

export const mqttMessageNode = nodeKind(MQTT_MESSAGE, {
  runtime: code`import { publish } from '../../nodes/mqtt-message/wasm';`,
  emit: ({ topicTemplate, messageTemplate = '', qos = 0, resultPath }, to) => code`
    return publish(
      run,
      ${to.text(topicTemplate)},
      ${to.text(messageTemplate)},
      ${qos},
      ${optionalPath(to, resultPath)}
    );`,
});
