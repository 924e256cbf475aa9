import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import * as setting from '../settings.js';
import { ARRAY_OPERATIONS, type ArrayOperation, type ArrayOperationName } from './config.js';
import { OPERATIONS } from './operations.js';

const MAX_RULES = 15;

/** Ways to read `inputTemplate`. */
const INPUTS = {
  template: setting.item,
  expression: setting.required(setting.expression),
  path: setting.required(setting.path),
} as const;

const members = (input: ArrayOperation['input']) =>
  setting.group({
    inputTemplate: INPUTS[input ?? 'template'],
    indexTemplate: setting.template,
    order: setting.word('ascending', 'descending'),
    outputPath: setting.target,
  });

type Members = ReturnType<typeof members>;

const RULES = Object.fromEntries(
  Object.entries<ArrayOperation>(ARRAY_OPERATIONS).map(([type, { input }]) => [type, members(input)]),
) as Record<ArrayOperationName, Members>;

/** The source is also the destination, unless there is another. */
const sourceTarget = setting.group({ sourceArrayPath: setting.target });

const settings = setting.all(
  setting.group({
    sourceArrayPath: setting.required(setting.path),
    destArrayPath: setting.optional(setting.target),
    rules: setting.list(setting.variant('type', RULES), MAX_RULES),
  }),
  (raw: unknown, at: string) => ({ source: sourceTarget(raw, at).sourceArrayPath }),
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ sourceArrayPath, destArrayPath, source, rules }) =>
    ({ payload }) => {
      const given = sourceArrayPath(payload.data);
      const list = itemsOf(given);
      for (const rule of rules) {
        const output = OPERATIONS[rule.type](list, rule, payload.data);
        if ('output' in ARRAY_OPERATIONS[rule.type]) rule.outputPath(payload, output);
      }
      if (!rules.some(({ type }) => 'changes' in ARRAY_OPERATIONS[type])) return undefined;
      // A text is read as its characters, but stays a text.
      if (destArrayPath) destArrayPath(payload, list);
      else if (typeof given !== 'string') source(payload, list);
      return undefined;
    },
};

/** Returns the items of a list, or the characters of a text, as a list of its own. */
function itemsOf(source: unknown): unknown[] {
  if (source === undefined || source === null) return [];
  if (typeof source === 'string' || Array.isArray(source)) return [...(source as Iterable<unknown>)];
  throw invalidSetting('sourceArrayPath', 'must refer to a list or a text');
}
