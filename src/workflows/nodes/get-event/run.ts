import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, nullIfMissing, writesAnswer } from '../resources/call-api.js';
import { advancedQuery, find, findWith } from '../resources/find.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    eventIdTemplate: setting.requiredTemplate,
    queryTemplate: setting.optional(advancedQuery),
    resultPath: setting.required(setting.target),
  }),
  find,
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(findEvents),
};

async function findEvents(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  if (config.queryTemplate)
    return findWith(path, config, 'events.get', { query: config.queryTemplate(data) });
  const eventId = config.eventIdTemplate(data);
  return isId(eventId) ? nullIfMissing(await callApi(path, 'event.get', { eventId })) : { result: null };
}
