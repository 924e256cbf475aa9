import type { NodeRun } from '../../engine/node-run.js';
import {
  bodyText,
  bodyValue,
  cookiesOf,
  headersOf,
  replyBody,
  replyCookies,
  replyHeaders,
  replyIdPath,
  statusOf,
} from '../replies.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    responseCodeTemplate: setting.number(),
    headerInfo: replyHeaders,
    cookieInfo: replyCookies,
    sameSiteTemplate: setting.template,
  }),
  replyBody,
);

/** Headers of replies, unless a node sets them. */
const DEFAULTS = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'content-security-policy': "default-src 'none'",
  'content-type': 'application/json',
};

const replyIdOf = replyIdPath(undefined, 'replyIdPath');

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const { data } = payload;
    const replyId = replyIdOf(data);
    if (typeof replyId !== 'string' || replyId === '') return undefined;
    const cookies = cookiesOf(config.cookieInfo, config.sameSiteTemplate(data), data);
    const own = headersOf(config.headerInfo, data);
    await run.ports.replies.reply(run, replyId, {
      status: statusOf(config.responseCodeTemplate(data)),
      headers: {
        ...DEFAULTS,
        ...own,
        ...(cookies.length > 0 && { 'set-cookie': [own['set-cookie'] ?? [], cookies].flat(2) }),
      },
      body: bodyText(bodyValue(config, payload)),
    });
    return undefined;
  },
};
