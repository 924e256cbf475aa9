import type { Payload } from '../../engine/payload.js';
import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const MAX_RULES = 100;

const destination = setting.required(setting.target);
const removal = setting.required(setting.removal);

const RULE = setting.variant(
  'type',
  {
    set: setting.variant(
      'valueTemplateType',
      {
        string: setting.group({ valueTemplate: setting.template, destination }),
        json: setting.group({ valueTemplate: setting.looseJson, destination }),
      },
      'string',
    ),
    copy: setting.group({ source: setting.required(setting.path), destination }),
    move: setting.group({ source: removal, destination }),
    remove: setting.group({ source: removal }),
  },
  'set',
);

const settings = setting.group({ rules: setting.list(RULE, MAX_RULES) });

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ rules }) =>
    ({ payload }) => {
      for (const rule of rules) apply(rule, payload);
      return undefined;
    },
};

/** Values are shared between their old and new places, because payloads copy on write. */
function apply(rule: setting.Read<typeof RULE>, payload: Payload): void {
  switch (rule.type) {
    case 'set':
      return rule.destination(payload, rule.valueTemplate(payload.data));
    case 'copy':
      return rule.destination(payload, rule.source(payload.data));
    case 'move':
      return rule.destination(payload, rule.source(payload));
    case 'remove':
      return void rule.source(payload);
  }
}
