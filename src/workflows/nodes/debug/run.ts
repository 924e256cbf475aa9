import type { NodeRun } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import type { Compiled } from '../../language/compile.js';
import * as setting from '../settings.js';

/** Template that is shown as it is written if it cannot be rendered, because a debug message never fails a run. */
const message: setting.Setting<Compiled<string>> = (value, at) => {
  const render = setting.template(value, at);
  const written = setting.text(value, at);
  return (payload) => {
    try {
      return render(payload);
    } catch (error) {
      if (error instanceof RunFault) return written;
      throw error;
    }
  };
};

const settings = setting.group({
  message,
  property: setting.optional(setting.path),
  level: setting.word('verbose', 'info', 'warn', 'error'),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ message, property, level }) =>
    (path) => {
      path.debug(() => {
        const { data } = path.payload;
        return { level, message: message(data), payload: property ? property(data) : data };
      });
      return undefined;
    },
};
