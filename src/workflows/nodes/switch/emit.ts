import type { SwitchConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode<SwitchConfig> = {
  emit: ({ switchTemplate, cases }, to) => code`
    const wanted = ${to.text(switchTemplate)};
    ${cases.map(({ caseTemplate }, i) => code`if (wanted == ${to.text(caseTemplate)}) return ${i + 1};`)}
    return 0;`,
};
