import type { ConditionalConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode<ConditionalConfig> = {
  emit: ({ expression }, to) => code`return ${to.expression(expression)}.truthy ? 1 : 0;`,
};
