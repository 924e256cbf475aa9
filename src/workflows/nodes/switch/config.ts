import { nodeConfig, TEMPLATE } from '../node-config.js';
import { checkTemplate } from '../texts.js';

/**
 * Continues with the output of the first case that equals `switchTemplate`, counted from 1, or with output 0 if no case
 * matches.
 */
export interface SwitchConfig {
  readonly switchTemplate: string;
  readonly cases: readonly { readonly caseTemplate: string }[];
}

export const config = nodeConfig<SwitchConfig>(
  {
    required: ['switchTemplate', 'cases'],
    properties: {
      switchTemplate: TEMPLATE,
      cases: {
        type: 'array',
        maxItems: 99,
        items: { type: 'object', required: ['caseTemplate'], properties: { caseTemplate: TEMPLATE } },
      },
    },
  },
  ({ switchTemplate, cases }) => {
    checkTemplate('switchTemplate', switchTemplate);
    cases.forEach(({ caseTemplate }, i) => checkTemplate(`cases.${i}.caseTemplate`, caseTemplate));
  },
);
