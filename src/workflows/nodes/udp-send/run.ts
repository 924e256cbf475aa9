import type { NodeRun } from '../../engine/node-run.js';
import { edgeOf, orError } from '../edge/edge-of.js';
import { encoding } from '../encodings.js';
import { integerWithin } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.group({
  hostTemplate: setting.template,
  portTemplate: setting.number(),
  messageTemplate: setting.template,
  encodingTemplate: setting.template,
  broadcastTemplate: setting.template,
  resultPath: setting.target,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const { data } = payload;
    const edge = edgeOf(path);
    const charset = encoding(config.encodingTemplate(data), 'encodingTemplate');
    const message = {
      host: config.hostTemplate(data) || '127.0.0.1',
      port: integerWithin(config.portTemplate(data), 'portTemplate', 1, 65_535),
      message: Buffer.from(config.messageTemplate(data), charset),
      isBroadcast: config.broadcastTemplate(data) === 'true',
    };
    const send = async () => {
      await edge.sendUdp(message);
      return { success: true };
    };
    config.resultPath(payload, await orError(send, (error) => ({ error })));
    return undefined;
  },
};
