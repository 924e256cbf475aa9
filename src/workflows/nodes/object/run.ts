import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';
import { CHANGES, RESULTS } from './operations.js';

const MAX_OPERATIONS = 10;

const input = setting.group({ inputTemplate: setting.json });
const output = setting.group({ outputPath: setting.target });

const operation = setting.variant('type', {
  assign: input,
  mergeDeep: input,
  omit: input,
  pick: input,
  entries: output,
  fromPairs: output,
  keys: output,
  values: output,
  zipObject: setting.all(input, output),
});

const settings = setting.group({
  sourcePath: setting.path,
  destPath: setting.target,
  operations: setting.list(operation, MAX_OPERATIONS),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ sourcePath, destPath, operations }) =>
    ({ payload }) => {
      let object = sourcePath(payload.data) ?? {};
      for (const one of operations) {
        if ('outputPath' in one) {
          const given = 'inputTemplate' in one ? one.inputTemplate(payload.data) : undefined;
          one.outputPath(payload, RESULTS[one.type](object, given));
        } else object = CHANGES[one.type](object, one.inputTemplate(payload.data)) as object;
      }
      destPath(payload, object);
      return undefined;
    },
};
