import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode = { emit: () => code`return 0;` };
