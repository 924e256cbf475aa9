import { STORE_VALUE } from '../../../flows/graph/embedded-nodes/store-value.js';
import { code } from '../code.js';
import { nodeKind, optionalPath } from './node-kind.js';

export const storeValueNode = nodeKind(STORE_VALUE, {
  runtime: code`
    import {
      addToStored, clearStored, storeJson, storeNumber, storePath, storeText
    } from './nodes/store-value';`,
  storage: true,
  emit: ({ keyName, valueType, value = '', valuePath = '', resultPath }, to) => {
    const key = to.text(keyName);
    const result = optionalPath(to, resultPath);
    const text = String(value);
    switch (valueType) {
      case 'template':
        return code`return storeText(run, ${key}, ${to.text(text)}, ${result});`;
      case 'json':
        return code`return storeJson(run, ${key}, ${to.json(text)}, ${result});`;
      case 'number':
        return code`return storeNumber(run, ${key}, ${to.text(text)}, ${result});`;
      case 'path':
        return code`return storePath(run, ${key}, ${to.path(valuePath)}, ${result});`;
      case 'incr':
        return code`return addToStored(run, ${key}, ${to.text(text)}, 1, ${result});`;
      case 'decr':
        return code`return addToStored(run, ${key}, ${to.text(text)}, -1, ${result});`;
      case 'clear':
        return code`return clearStored(run, ${key}, ${result});`;
    }
  },
});
