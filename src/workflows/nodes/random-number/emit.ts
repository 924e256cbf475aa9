import type { RandomNumberConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';
import { templateValue } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<RandomNumberConfig> = {
  runtime: code`import * as random from '../../nodes/random-number/wasm';`,
  emit: ({ min, max, resultPath }, to) => {
    const [least, most] = [min, max].map((bound) => templateValue(to, String(bound), code`random`));
    return code`return random.draw(run, ${least!}, ${most!}, ${to.path(resultPath)});`;
  },
};
