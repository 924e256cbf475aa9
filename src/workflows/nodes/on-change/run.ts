import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { actorOf, identifier, payloadTime } from '../run-values.js';
import * as setting from '../settings.js';
import { CHANGE_TYPES, judge } from './changes.js';

/** Maximum size of a value that is kept for the next comparison, in characters of JSON. */
const MAX_KEPT = 16 * 1024;

const settings = setting.group({
  valuePath: setting.required(setting.path),
  changeType: setting.word(...CHANGE_TYPES),
  changeThreshold: setting.number(0),
  prevValuePath: setting.target,
  onChangeIdTemplate: identifier,
});

/** Value that the next one is compared with, and the time of its payload. */
interface Known {
  readonly value?: unknown;
  readonly time: string;
}

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ valuePath, changeType, changeThreshold, prevValuePath, onChangeIdTemplate }, { id = '' }) =>
    async (path) => {
      const { payload, run } = path;
      const value = plain(valuePath(payload.data));
      const threshold = changeThreshold(payload.data);
      if (!(threshold >= 0)) throw invalidSetting('changeThreshold', 'must be a number of at least 0');
      const onChangeId = onChangeIdTemplate(payload.data);
      const time = payloadTime(payload.data).toISOString();
      const { known, isChange } = await run.ports.storage.update(actorOf(path), id, onChangeId, (state) => {
        const known = (state ?? undefined) as Known | undefined;
        const { isChange, next } = judge(changeType, known, value, threshold);
        const isKept = known !== undefined && next === known.value;
        return { state: isKept ? known : { value: next, time }, result: { known, isChange } };
      });
      if (known) prevValuePath(payload, { value: known.value, time: new Date(known.time) });
      return isChange ? 1 : 0;
    },
};

/** Returns a value as it is when it has been stored. */
function plain(value: unknown): unknown {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) return undefined;
  if (json.length > MAX_KEPT)
    throw invalidSetting('valuePath', `must refer to at most ${MAX_KEPT} characters of JSON`);
  return JSON.parse(json);
}
