import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import * as setting from '../settings.js';
import { METHODS } from './methods.js';

const MAX_ARGUMENTS = 100;

const NAMES = Object.keys(METHODS) as [keyof typeof METHODS, ...(keyof typeof METHODS)[]];

const settings = setting.group({
  sourceData: setting.requiredTemplate,
  method: setting.optional(setting.word(...NAMES)),
  methodArgs: setting.list(setting.template, MAX_ARGUMENTS),
  resultPath: setting.required(setting.target),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ sourceData, method, methodArgs, resultPath }) =>
    ({ payload }) => {
      if (!method) throw invalidSetting('method', 'is required');
      const args = methodArgs.map((render) => render(payload.data));
      resultPath(payload, METHODS[method](sourceData(payload.data), args));
      return undefined;
    },
};
