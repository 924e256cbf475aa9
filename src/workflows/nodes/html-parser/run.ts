import type { NodeRun } from '../../engine/node-run.js';
import { HTML_FORMATS } from '../../engine/ports.js';
import { invalidSetting } from '../../engine/run-error.js';
import * as setting from '../settings.js';

const settings = setting.group({
  documentPath: setting.required(setting.path),
  selectorTemplate: setting.template,
  resultFormatTemplate: setting.template,
  resultPath: setting.required(setting.target),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ documentPath, selectorTemplate, resultFormatTemplate, resultPath }) =>
    async ({ payload, run }) => {
      const document = documentPath(payload.data);
      if (typeof document !== 'string') throw invalidSetting('documentPath', 'must be the path of a text');
      const name = resultFormatTemplate(payload.data).trim().toLowerCase() || 'text';
      const format = HTML_FORMATS.find((one) => one === name);
      if (!format) throw invalidSetting('resultFormatTemplate', `must be one of ${HTML_FORMATS.join(', ')}`);
      const query = { document, selector: selectorTemplate(payload.data), format };
      resultPath(payload, await run.ports.html.find(run, query, run.signal));
      return undefined;
    },
};
