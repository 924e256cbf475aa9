import type { NodeRun } from '../../engine/node-run.js';
import { actorOf, identifier } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.group({
  latchExpression: setting.expression,
  resetExpression: setting.expression,
  latchIdTemplate: identifier,
  latchResultPath: setting.target,
  resetResultPath: setting.target,
  wasLatchedPath: setting.target,
  isLatchedPath: setting.target,
  branchPath: setting.target,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    (config, { id = '' }) =>
    async (path) => {
      const { payload, run } = path;
      const latches = Boolean(config.latchExpression(payload.data));
      const resets = Boolean(config.resetExpression(payload.data));
      const latchId = config.latchIdTemplate(payload.data);
      const [was, is] = await run.ports.storage.update(actorOf(path), id, latchId, (state) => {
        const wasLatched = state === true;
        const isLatched = wasLatched ? !resets : latches;
        return { state: isLatched || undefined, result: [wasLatched, isLatched] };
      });
      config.latchResultPath(payload, latches);
      config.resetResultPath(payload, resets);
      config.wasLatchedPath(payload, was);
      config.isLatchedPath(payload, is);
      config.branchPath(payload, !was && is);
      return !was && is ? 1 : 0;
    },
};
