import type { ThrowErrorConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode<ThrowErrorConfig> = {
  emit: ({ messageTemplate }, to) => code`return run.fail('Error', ${to.text(messageTemplate)});`,
};
