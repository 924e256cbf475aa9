import type { MutateConfig, MutateRule } from './config.js';
import { code, type Code } from '../../embedded/code.js';
import type { Emitter, NodeCode } from '../../embedded/emitter.js';
import { templateValue } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<MutateConfig> = {
  runtime: code`import * as mutate from '../../nodes/mutate/wasm';`,
  emit: ({ rules }, to) => code`
    ${rules.map((rule) => code`if (${applied(rule, to)} == FAILED) return FAILED;`)}
    return 0;`,
};

/** Returns the call that applies a rule. */
function applied({ type, source, destination, ...rule }: MutateRule, to: Emitter): Code {
  const { valueTemplate = '', valueTemplateType } = rule;
  switch (type) {
    case 'remove':
      return code`mutate.remove(run, ${to.path(source!)})`;
    case 'copy':
      return code`mutate.copy(run, ${to.path(source!)}, ${to.path(destination!)})`;
    case 'move':
      return code`mutate.move(run, ${to.path(source!)}, ${to.path(destination!)})`;
    case 'set':
      return valueTemplateType === 'json'
        ? code`mutate.setJson(run, ${to.path(destination!)}, ${to.json(valueTemplate)})`
        : code`mutate.put(run, ${to.path(destination!)}, ${templateValue(to, valueTemplate, code`mutate`)})`;
  }
}
