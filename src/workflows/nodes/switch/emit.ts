import { SWITCH } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind } from '../node-kind.js';

export const switchNode = nodeKind(SWITCH, {
  emit: ({ switchTemplate, cases }, to) => code`
    const wanted = ${to.text(switchTemplate)};
    ${cases.map(({ caseTemplate }, i) => code`if (wanted == ${to.text(caseTemplate)}) return ${i + 1};`)}
    return 0;`,
});
