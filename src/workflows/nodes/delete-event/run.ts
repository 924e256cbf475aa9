import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, notFound, writesAnswer } from '../resources/call-api.js';
import { advancedQuery } from '../resources/find.js';
import * as setting from '../settings.js';

const settings = setting.group({
  eventIdTemplate: setting.requiredTemplate,
  queryTemplate: setting.optional(advancedQuery),
  resultPath: setting.target,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(deleteEvents),
};

async function deleteEvents(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  if (config.queryTemplate) return callApi(path, 'events.delete', {}, config.queryTemplate(data));
  const eventId = config.eventIdTemplate(data);
  return isId(eventId) ? callApi(path, 'event.delete', { eventId }) : notFound('Event');
}
