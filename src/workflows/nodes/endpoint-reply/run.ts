import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { Reply } from '../../engine/ports.js';
import { invalidSetting, RunFault } from '../../engine/run-error.js';
import {
  assertSize,
  bodyText,
  bodyValue,
  cookiesOf,
  headersOf,
  REPLY_DEFAULTS,
  replyBody,
  replyCookies,
  replyHeaders,
  replyIdPath,
  statusOf,
} from '../replies.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    replyType: setting.word('custom', 'redirect', 'page', 'mqtt'),
    responseCodeTemplate: setting.number(),
    pageIdTemplate: setting.requiredTemplate,
    layoutIdTemplate: setting.template,
    headerInfo: replyHeaders,
    cookieInfo: replyCookies,
    sameSiteTemplate: setting.template,
    replyIdPath,
  }),
  replyBody,
);

type Config = setting.Read<typeof settings>;

export const run: NodeRun<Config> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const replyId = config.replyIdPath(payload.data);
    if (typeof replyId !== 'string' || replyId === '') return undefined;
    const { status, headers, body } = await contentOf(config, path);
    const cookies = cookiesOf(config.cookieInfo, config.sameSiteTemplate(payload.data), payload.data);
    const own = headersOf(config.headerInfo, payload.data);
    await run.ports.replies.reply(run, replyId, {
      status,
      headers: {
        ...REPLY_DEFAULTS,
        ...headers,
        ...own,
        ...(cookies.length > 0 && { 'set-cookie': [own['set-cookie'] ?? [], cookies].flat(2) }),
      },
      body,
    });
    return undefined;
  },
};

/** Statuses of redirects. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function contentOf(config: Config, { payload, run }: RunPath): Promise<Reply> {
  const status = config.responseCodeTemplate(payload.data);
  const value = bodyValue(config, payload);
  switch (config.replyType) {
    case 'custom':
      return { status: statusOf(status), headers: {}, body: bodyText(value) };
    case 'redirect':
      return {
        status: REDIRECTS.has(status) ? status : 302,
        headers: { location: locationOf(value) },
        body: '',
      };
    case 'page': {
      const page = {
        pageId: config.pageIdTemplate(payload.data),
        layoutId: config.layoutIdTemplate(payload.data) || undefined,
        pageData: value,
        payload: payload.data,
      };
      const html = await run.ports.pages.render(run, page);
      return {
        status: statusOf(status),
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: assertSize(html),
      };
    }
    case 'mqtt':
      throw new RunFault('NotAvailable', 'Replies with server-sent events are not available in this version');
  }
}

/** Encodes characters that a header cannot carry, as browsers do. */
function locationOf(value: unknown): string {
  const location = typeof value === 'string' ? value.trim().toWellFormed() : '';
  if (location === '') throw invalidSetting('bodyTemplate', 'must be the URL of the redirect');
  return location.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
