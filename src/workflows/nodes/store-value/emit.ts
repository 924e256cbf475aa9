import { pathOf, type StoreValueConfig } from './config.js';
import { code } from '../../embedded/code.js';
import type { NodeCode } from '../../embedded/emitter.js';
import { optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<StoreValueConfig> = {
  runtime: code`import { addToStored, keep, storeJson, storeNumber } from '../../nodes/store-value/wasm';`,
  storage: true,
  emit: ({ keyName, valueType, value = '', valuePath, resultPath }, to) => {
    const key = to.text(keyName);
    const result = optionalPath(to, resultPath);
    const text = String(value);
    switch (valueType) {
      case 'template':
        return code`return keep(run, ${key}, expressions.Value.text(${to.text(text)}), ${result});`;
      case 'json':
        return code`return storeJson(run, ${key}, ${to.json(text)}, ${result});`;
      case 'number':
        return code`return storeNumber(run, ${key}, ${to.text(text)}, ${result});`;
      case 'path':
        return code`return keep(run, ${key}, ${to.path(pathOf({ value, valuePath }))}.get(run.payload).clone(), ${result});`;
      case 'incr':
        return code`return addToStored(run, ${key}, ${to.text(text)}, 1, ${result});`;
      case 'decr':
        return code`return addToStored(run, ${key}, ${to.text(text)}, -1, ${result});`;
      case 'clear':
        return code`return keep(run, ${key}, expressions.UNDEFINED, ${result});`;
    }
  },
};
