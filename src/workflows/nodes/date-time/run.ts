import moment from 'moment-timezone';
import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { dateOf, zoneOf } from '../dates.js';
import * as setting from '../settings.js';
import { OPERATION_NAMES, OPERATIONS, UNIT_NAMES } from './operations.js';

const settings = setting.group({
  operation: setting.word(...OPERATION_NAMES),
  /** Now if absent. */
  sourcePath: setting.optional(setting.path),
  sourceFormatString: setting.template,
  timezone: setting.template,
  numberValue: setting.number(),
  unit: setting.optional(setting.word(...UNIT_NAMES)),
  diffDataPath: setting.optional(setting.path),
  diffDataFormatString: setting.template,
  resultPath: setting.required(setting.target),
  resultFormatString: setting.template,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ operation, sourcePath, diffDataPath, resultPath, unit, ...config }) =>
    ({ payload }) => {
      const { data } = payload;
      const zone = zoneOf(config.timezone(data), 'timezone');
      const read = (path: typeof sourcePath, format: typeof config.timezone) =>
        path ? dateOf(path(data), zone, format(data)) : moment.tz(zone);
      const source = read(sourcePath, config.sourceFormatString);
      const result =
        source &&
        OPERATIONS[operation](source, {
          unit,
          number: () => {
            const number = config.numberValue(data);
            if (Number.isFinite(number)) return number;
            throw invalidSetting('numberValue', 'must be a number');
          },
          other: () => read(diffDataPath, config.diffDataFormatString),
        });
      resultPath(payload, shown(result, operation === 'format', config.resultFormatString(data)));
      return undefined;
    },
};

/** Returns a date as text if the node has a format or is to format; other results as they are. */
function shown(result: unknown, isText: boolean, format: string): unknown {
  if (!moment.isMoment(result)) return result;
  if (!result.isValid()) return undefined;
  return isText || format !== '' ? result.format(format || undefined) : result.toDate();
}
