import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { actorOf, identifier } from '../run-values.js';
import * as setting from '../settings.js';

const MAX_PER_MINUTE = 600;
const MILLISECONDS_PER_MINUTE = 60_000;

const settings = setting.group({
  ratePerMinute: setting.number(),
  throttleIdTemplate: identifier,
  timeSincePath: setting.target,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ ratePerMinute, throttleIdTemplate, timeSincePath }, { id = '' }) =>
    async (path) => {
      const { payload, run } = path;
      const rate = ratePerMinute(payload.data);
      if (!(rate > 0 && rate <= MAX_PER_MINUTE))
        throw invalidSetting('ratePerMinute', `must be greater than 0 and at most ${MAX_PER_MINUTE}`);
      const throttleId = throttleIdTemplate(payload.data);
      const now = Date.now();
      const { since, isOpen } = await run.ports.storage.update(actorOf(path), id, throttleId, (last) => {
        const since = typeof last === 'number' ? now - last : undefined;
        const isOpen = since === undefined || since >= MILLISECONDS_PER_MINUTE / rate;
        return { state: isOpen ? now : last, result: { since, isOpen } };
      });
      timeSincePath(payload, since);
      return isOpen ? 1 : 0;
    },
};
