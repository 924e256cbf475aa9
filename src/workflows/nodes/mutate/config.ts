import { requireProperty } from '../config-fault.js';
import { choice, nodeConfig, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkPath, checkTarget, checkValue } from '../texts.js';

/** Sets, deletes, copies and moves values of the payload, one rule after another. */
export interface MutateConfig {
  readonly rules: readonly MutateRule[];
}

export interface MutateRule {
  readonly type: 'set' | 'remove' | 'copy' | 'move';
  /** Value that `set` writes: a template of a text or of a JSON document. */
  readonly valueTemplate?: string;
  readonly valueTemplateType?: 'string' | 'json';
  readonly source?: string;
  readonly destination?: string;
}

export const config = nodeConfig<MutateConfig>(
  {
    required: ['rules'],
    properties: {
      rules: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['type'],
          properties: {
            type: choice('set', 'remove', 'copy', 'move'),
            valueTemplate: TEMPLATE,
            valueTemplateType: choice('string', 'json'),
            source: OPTIONAL_PATH,
            destination: OPTIONAL_PATH,
          },
        },
      },
    },
  },
  ({ rules }) => rules.forEach((rule, i) => checkRule(`rules.${i}`, rule)),
);

function checkRule(at: string, { type, source, destination, ...rule }: MutateRule): void {
  if (type === 'copy') checkPath(`${at}.source`, requireProperty(`${at}.source`, source));
  // The payload as a whole cannot be moved or deleted.
  else if (type !== 'set') checkTarget(`${at}.source`, requireProperty(`${at}.source`, source));
  if (type !== 'remove') checkTarget(`${at}.destination`, requireProperty(`${at}.destination`, destination));
  if (type !== 'set') return;
  // Text can be empty, JSON cannot.
  if (rule.valueTemplateType === 'json')
    checkValue(`${at}.valueTemplate`, 'json', requireProperty(`${at}.valueTemplate`, rule.valueTemplate));
  else checkValue(`${at}.valueTemplate`, 'template', rule.valueTemplate ?? '');
}
