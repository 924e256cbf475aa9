import type { NodeRun } from '../../engine/node-run.js';
import { edgeOf, orError } from '../edge/edge-of.js';
import { encoding } from '../encodings.js';
import * as setting from '../settings.js';

const settings = setting.group({
  pathTemplate: setting.requiredTemplate,
  fileContentsTemplate: setting.template,
  encodingTemplate: setting.template,
  shouldAppend: setting.flag(),
  errorIfFileExists: setting.flag(),
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
    const content = Buffer.from(config.fileContentsTemplate(data), charset);
    const mode = { appends: config.shouldAppend, isNew: config.errorIfFileExists };
    const write = async () => {
      await edge.writeFile(file, content, mode);
      return { value: true };
    };
    config.resultPath(payload, await orError(write, (error) => ({ value: false, error })));
    return undefined;
  },
};
