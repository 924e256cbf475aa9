import type { GetValueConfig } from './config.js';
import { code, type Code } from '../../embedded/code.js';
import type { Emitter, NodeCode } from '../../embedded/emitter.js';

export const embedded: NodeCode<GetValueConfig> = {
  runtime: code`import { getAllValues, getValue, getValueOrJson } from '../../nodes/get-value/wasm';`,
  storage: true,
  emit: (config, to) => {
    const path = to.path(config.valuePath);
    if (config.getAll) return code`return getAllValues(run, ${path});`;
    return getOne(config, to, to.text(config.keyName ?? ''), path);
  },
};

function getOne(
  { defaultValue, defaultValueType = 'template' }: GetValueConfig,
  to: Emitter,
  key: Code,
  path: Code,
): Code {
  if (!defaultValue) return code`return getValue(run, ${key}, ${path}, expressions.UNDEFINED);`;
  switch (defaultValueType) {
    case 'template':
      return code`return getValue(run, ${key}, ${path}, expressions.Value.text(${to.text(defaultValue)}));`;
    case 'json':
      return code`return getValueOrJson(run, ${key}, ${path}, ${to.json(defaultValue)});`;
    case 'path':
      return code`return getValue(run, ${key}, ${path}, ${to.path(defaultValue)}.get(run.payload));`;
  }
}
