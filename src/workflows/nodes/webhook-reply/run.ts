import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import {
  bodyText,
  bodyValue,
  headersOf,
  replyBody,
  replyHeaders,
  replyIdPath,
  statusOf,
} from '../replies.js';
import { encoding } from '../encodings.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    replyIdPath,
    isWebsocketMessage: setting.flag(),
    encodingTemplate: setting.template,
    responseCodeTemplate: setting.number(),
    headerInfo: replyHeaders,
  }),
  replyBody,
);

/** Content types that browsers do not execute, because all webhooks share the domain of the platform. */
const TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'text/csv',
  'text/plain',
  'text/xml',
]);
/** Headers by which a browser decides about other pages of the domain. */
const SECURITY: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'clear-site-data',
  'content-security-policy',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'x-xss-protection',
]);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const replyId = config.replyIdPath(payload.data);
    if (typeof replyId !== 'string' || replyId === '') return undefined;
    const body = bodyText(bodyValue(config, payload));
    if (config.isWebsocketMessage) {
      const name = encoding(config.encodingTemplate(payload.data), 'encodingTemplate');
      const message = name === 'utf8' ? body : Buffer.from(body, name);
      await run.ports.replies.message(run, replyId, message);
      return undefined;
    }
    const headers = headersOf(config.headerInfo, payload.data, SECURITY);
    const type = String(headers['content-type'] ?? 'application/json');
    if (!TYPES.has(type.split(';')[0]!.trim().toLowerCase()))
      throw invalidSetting('headerInfo', `must have a Content-Type of ${[...TYPES].join(', ')}`);
    await run.ports.replies.reply(run, replyId, {
      status: statusOf(config.responseCodeTemplate(payload.data)),
      headers: { ...headers, 'content-type': type, 'x-content-type-options': 'nosniff' },
      body,
    });
    return undefined;
  },
};
