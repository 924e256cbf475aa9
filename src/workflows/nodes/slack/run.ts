import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { exchange, serviceFault } from '../http-services.js';
import * as setting from '../settings.js';

const ORIGIN = 'https://hooks.slack.com';
const PATH = /^[\w-]+(\/[\w-]+)*$/;

const settings = setting.group({
  urlPathTemplate: setting.requiredTemplate,
  textTemplate: setting.template,
  channelTemplate: setting.template,
  resultPath: setting.optional(setting.target),
});

/** Returns the path of a webhook, which authors also give as its URL. */
function pathOf(given: string): string {
  const path = given
    .trim()
    .replace(ORIGIN, '')
    .replace(/^\/?(services\/)?/, '');
  if (!PATH.test(path)) throw invalidSetting('urlPathTemplate', 'must be the path of a webhook of Slack');
  return `/services/${path}`;
}

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ resultPath, ...config }) =>
    async (path) => {
      const { data } = path.payload;
      const url = `${ORIGIN}${pathOf(config.urlPathTemplate(data))}`;
      const channel = config.channelTemplate(data);
      const text = config.textTemplate(data) || JSON.stringify(data);
      const sent = { text, ...(channel && { channel }) };
      try {
        const headers = { 'content-type': 'application/json' };
        await exchange(path, { url, method: 'POST', headers, body: JSON.stringify(sent) });
        resultPath?.(path.payload, { success: true, sent });
      } catch (error) {
        if (!resultPath) throw error;
        resultPath(path.payload, { success: false, sent, error: serviceFault(error).message });
      }
      return undefined;
    },
};
