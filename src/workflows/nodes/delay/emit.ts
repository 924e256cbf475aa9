import type { DelayConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode<DelayConfig> = {
  runtime: code`import { delay } from '../../nodes/delay/wasm';`,
  emit: (config, to) => code`return delay(run, ${to.text(String(config.delay))});`,
};
