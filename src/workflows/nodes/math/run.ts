import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const MAX_STATEMENTS = 100;

const settings = setting.group({
  statements: setting.list(
    setting.group({
      expression: setting.required(setting.expression),
      resultPath: setting.target,
    }),
    MAX_STATEMENTS,
  ),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ statements }) =>
    ({ payload }) => {
      for (const { expression, resultPath } of statements)
        resultPath(payload, numberOf(expression(payload.data)));
      return undefined;
    },
};

/** Results of helpers are texts, and Booleans count as numbers. Other values are no numbers. */
function numberOf(result: unknown): number | null {
  const isCast = typeof result === 'string' ? result.trim() !== '' : typeof result === 'boolean';
  const number = isCast || result instanceof Date ? Number(result) : result;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
