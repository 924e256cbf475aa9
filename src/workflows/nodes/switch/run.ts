import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const MAX_CASES = 99;

const settings = setting.group({
  switchTemplate: setting.template,
  cases: setting.list(setting.group({ caseTemplate: setting.template }), MAX_CASES),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ switchTemplate, cases }) =>
    ({ payload }) => {
      const sought = switchTemplate(payload.data);
      return cases.findIndex(({ caseTemplate }) => caseTemplate(payload.data) === sought) + 1;
    },
};
