import { valueAt } from '../../language/evaluate.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { PageContent, Reply } from '../../engine/ports.js';
import { invalidSetting, RunFault } from '../../engine/run-error.js';
import { fitsJson } from '../../engine/size.js';
import {
  bodyText,
  bodyValue,
  cookiesOf,
  headersOf,
  replyBody,
  replyCookies,
  replyHeaders,
  redirectStatusOf,
  replyIdPath,
  safeLocation,
  statusOf,
} from '../replies.js';
import * as setting from '../settings.js';

/** Maximum size of the data of a page, as JSON. */
const MAX_PAGE_DATA_BYTES = 4 * 1024 * 1024;
const MAX_TOPICS = 100;
/** Maximum length of a topic in MQTT, in bytes. */
const MAX_TOPIC_BYTES = 65_535;

const settings = setting.all(
  setting.group({
    replyType: setting.word('custom', 'redirect', 'page', 'mqtt'),
    responseCodeTemplate: setting.number(),
    pageIdTemplate: setting.requiredTemplate,
    layoutIdTemplate: setting.template,
    experienceVersion: setting.text,
    mqttTopicsTemplate: setting.list(setting.template, MAX_TOPICS),
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
    const { data } = payload;
    const replyId = config.replyIdPath(data);
    if (typeof replyId !== 'string' || replyId === '') return undefined;
    const { status, headers = {}, body = '', content } = contentOf(config, path);
    // The reply refers to the payload, which the path may change afterwards.
    payload.share();
    await run.ports.replies.reply(run, replyId, {
      status,
      headers: { ...headers, ...headersOf(config.headerInfo, data) },
      body,
      cookies: cookiesOf(config.cookieInfo, config.sameSiteTemplate(data), data),
      ...(content && { content }),
    });
    return undefined;
  },
};

function contentOf(config: Config, path: RunPath): Pick<Reply, 'status'> & Partial<Reply> {
  const { payload } = path;
  const status = config.responseCodeTemplate(payload.data);
  switch (config.replyType) {
    case 'custom':
      return { status: statusOf(status), body: bodyText(bodyValue(config, payload)) };
    case 'redirect': {
      const location = locationOf(bodyValue(config, payload));
      return { status: redirectStatusOf(status), headers: { location } };
    }
    case 'page':
      return { status: statusOf(status), content: pageOf(config, path) };
    case 'mqtt':
      return { status: 200, content: { kind: 'topics', topics: topicsOf(config, path) } };
  }
}

function locationOf(value: unknown): string {
  const location = typeof value === 'string' ? safeLocation(value) : '';
  if (location === '') throw invalidSetting('bodyTemplate', 'must be the URL of the redirect');
  return location;
}

function pageOf(config: Config, { payload, run }: RunPath): PageContent {
  const { data } = payload;
  const pageData = config.bodyTemplateType === 'none' ? {} : bodyValue(config, payload);
  if (!fitsJson(pageData, MAX_PAGE_DATA_BYTES))
    throw new RunFault(
      'PayloadTooLarge',
      `The data of a page must have at most ${MAX_PAGE_DATA_BYTES} bytes`,
    );
  const member = (name: string): unknown => valueAt([name], data);
  const layoutId = config.layoutIdTemplate(data).trim();
  return {
    kind: 'page',
    pageId: config.pageIdTemplate(data).trim(),
    ...(layoutId && { layoutId }),
    ...(run.flowClass === 'cloud' && config.experienceVersion && { version: config.experienceVersion }),
    pageData,
    globals: member('globals'),
    flow: { id: member('flowId'), name: member('flowName'), version: member('flowVersion') },
  };
}

function topicsOf({ mqttTopicsTemplate }: Config, { payload }: RunPath): string[] {
  const topics = mqttTopicsTemplate
    .map((topic) => topic(payload.data).trim())
    .filter((topic) => topic !== '');
  if (topics.length === 0) throw invalidSetting('mqttTopicsTemplate', 'must have a topic');
  for (const topic of topics)
    if (/[+#\0]/.test(topic) || Buffer.byteLength(topic) > MAX_TOPIC_BYTES)
      throw invalidSetting('mqttTopicsTemplate', 'must have topics of MQTT without wildcards');
  return [...new Set(topics)];
}
