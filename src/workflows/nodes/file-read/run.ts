import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { edgeOf, orError } from '../edge/edge-of.js';
import { encoding } from '../encodings.js';
import * as setting from '../settings.js';

const settings = setting.group({
  pathTemplate: setting.requiredTemplate,
  encodingTemplate: setting.template,
  startTemplate: setting.number(0),
  lengthTemplate: setting.optional(setting.number()),
  resultPath: setting.target,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const { data } = payload;
    const edge = edgeOf(path);
    const file = config.pathTemplate(data);
    const charset = encoding(config.encodingTemplate(data), 'encodingTemplate');
    const start = config.startTemplate(data);
    const length = config.lengthTemplate?.(data);
    if (!Number.isInteger(start)) throw invalidSetting('startTemplate', 'must be an integer');
    if (length !== undefined && !(Number.isInteger(length) && length >= 0))
      throw invalidSetting('lengthTemplate', 'must be an integer of at least 0');
    const read = async () => {
      const content = await edge.readFile(file, { start, length });
      return { bytesRead: content.length, value: content.toString(charset) };
    };
    config.resultPath(payload, await orError(read, (error) => ({ error })));
    return undefined;
  },
};
