import { embeddedNode, TEMPLATE } from '../embedded-node.js';
import { checkTemplate } from '../texts.js';

/** Leads to the output of the first case whose text is that of `switchTemplate`, counted from 1; to output 0 where none is. */
export interface SwitchConfig {
  readonly switchTemplate: string;
  readonly cases: readonly { readonly caseTemplate: string }[];
}

export const SWITCH = embeddedNode<SwitchConfig>(
  'SwitchNode',
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
