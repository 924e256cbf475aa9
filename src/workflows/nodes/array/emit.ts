import { ARRAY_OPERATIONS, type ArrayConfig, type ArrayOperationName, type ArrayRule } from './config.js';
import { code, type Code } from '../../embedded/code.js';
import type { Emitter, NodeCode } from '../../embedded/emitter.js';
import { optionalPath, templateValue } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<ArrayConfig> = {
  runtime: code`
    import * as array from '../../nodes/array/wasm';
    import * as filtered from '../../nodes/array/wasm/filter';
    import * as members from '../../nodes/array/wasm/members';
    import * as sorted from '../../nodes/array/wasm/sort';`,
  emit: ({ sourceArrayPath, destArrayPath, rules }, to) => {
    const changes = rules.some(({ type }) => 'changes' in ARRAY_OPERATIONS[type]);
    const source = to.path(sourceArrayPath);
    const stays = changes && !destArrayPath ? code`array.isText(run, ${source})` : code`false`;
    const target = destArrayPath ? to.path(destArrayPath) : source;
    return code`
    const stays = ${stays};
    const list = array.take(run, ${source});
    if (list === null) return FAILED;
    ${rules.map((rule) => apply(rule, to))}
    return ${changes ? code`stays ? 0 : array.put(run, ${target}, list)` : 0};`;
  },
};

type Call = (rule: ArrayRule, to: Emitter) => Code;

const input: Call = ({ inputTemplate = '' }, to) => templateValue(to, inputTemplate, code`array`);
const index: Call = ({ indexTemplate = '' }, to) => templateValue(to, indexTemplate, code`array`);
const output: Call = ({ outputPath }, to) => optionalPath(to, outputPath);
const by: Call = ({ inputTemplate }, to) => to.path(inputTemplate!);
const descending: Call = ({ order }) => (order === 'descending' ? code`true` : code`false`);

/** Calls that apply a rule to `list`; they return `false` if the run fails. */
const CALLS: Record<Exclude<ArrayOperationName, 'filter'>, Call> = {
  compact: () => code`array.compact(list)`,
  concat: (rule, to) => code`array.concat(run, list, ${input(rule, to)})`,
  deduplicate: () => code`members.deduplicate(list)`,
  deduplicateBy: (rule, to) => code`members.deduplicateBy(run, list, ${by(rule, to)}, ${output(rule, to)})`,
  flatten: () => code`array.flatten(list)`,
  groupBy: (rule, to) => code`members.groupBy(run, list, ${by(rule, to)}, ${output(rule, to)})`,
  indexOf: (rule, to) => code`array.indexOf(run, list, ${input(rule, to)}, ${output(rule, to)})`,
  insertAt: (rule, to) => code`array.insertAt(run, list, ${index(rule, to)}, ${input(rule, to)})`,
  keyBy: (rule, to) => code`members.keyBy(run, list, ${by(rule, to)}, ${output(rule, to)})`,
  length: (rule, to) => code`array.length(run, list, ${output(rule, to)})`,
  lookupAt: (rule, to) => code`array.lookupAt(run, list, ${index(rule, to)}, ${output(rule, to)})`,
  pop: (rule, to) => code`array.pop(run, list, ${output(rule, to)})`,
  push: (rule, to) => code`array.push(list, ${input(rule, to)})`,
  removeAt: (rule, to) => code`array.removeAt(run, list, ${index(rule, to)}, ${output(rule, to)})`,
  replaceAt: (rule, to) =>
    code`array.replaceAt(run, list, ${index(rule, to)}, ${input(rule, to)}, ${output(rule, to)})`,
  reverse: () => code`array.reverse(list)`,
  shift: (rule, to) => code`array.shift(run, list, ${output(rule, to)})`,
  slice: (rule, to) => code`array.slice(run, list, ${input(rule, to)}, ${index(rule, to)})`,
  sort: (rule, to) => code`sorted.sort(run, list, null, ${descending(rule, to)}, ${output(rule, to)})`,
  sortBy: (rule, to) =>
    code`sorted.sort(run, list, ${by(rule, to)}, ${descending(rule, to)}, ${output(rule, to)})`,
  sum: (rule, to) => code`array.sum(run, list, ${output(rule, to)})`,
  unshift: (rule, to) => code`array.unshift(list, ${input(rule, to)})`,
};

function apply(rule: ArrayRule, to: Emitter): Code {
  return rule.type === 'filter' ? filter(rule, to) : code`if (!${CALLS[rule.type](rule, to)}) return FAILED;`;
}

/** The expression is evaluated in its own scope instead of the payload, which is restored immediately afterwards. */
function filter(rule: ArrayRule, to: Emitter): Code {
  return code`{
      const filter = new filtered.Filter(run, list);
      while (filter.next()) filter.keep(${to.expression(rule.inputTemplate!)}.truthy);
      if (!filter.end(${output(rule, to)})) return FAILED;
    }`;
}
