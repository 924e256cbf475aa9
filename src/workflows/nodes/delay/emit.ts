import { DELAY } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind } from '../node-kind.js';

export const delayNode = nodeKind(DELAY, {
  runtime: code`import { delay } from '../../nodes/delay/wasm';`,
  emit: (config, to) => code`return delay(run, ${to.text(String(config.delay))});`,
});
