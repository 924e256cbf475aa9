import { DELAY } from '../../../flows/graph/embedded-nodes/delay.js';
import { code } from '../code.js';
import { nodeKind } from './node-kind.js';

export const delayNode = nodeKind(DELAY, {
  runtime: code`import { delay } from './nodes/delay';`,
  emit: (config, to) => code`return delay(run, ${to.text(String(config.delay))});`,
});
