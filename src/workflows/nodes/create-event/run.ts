import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { callApi, resultOf } from '../resources/call-api.js';
import { eventFields, plainEventFields } from '../resources/event-fields.js';
import { keyedPairs, tagsOf } from '../resources/tag-pairs.js';
import { filled, writeMode } from '../resources/write-mode.js';
import { payloadTime } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.all(
  eventFields,
  writeMode('eventJsonTemplate', 'eventPayloadPath'),
  setting.group({
    messageTemplate: setting.template,
    timeSourceType: setting.word('now', 'payloadTime', 'payloadPath'),
    timeSourcePath: setting.path,
    resultPath: setting.target,
  }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const event = config.document ? config.document(path.payload.data) : eventOf(config, path);
    const answer = await callApi(path, 'events.post', {}, event);
    const isThrottled = 'error' in answer && answer.error.statusCode === 429;
    config.resultPath(path.payload, isThrottled ? undefined : resultOf(answer));
    return undefined;
  },
};

function eventOf(config: Settings, { payload: { data } }: RunPath): Record<string, unknown> {
  const event = plainEventFields(config, data);
  for (const name of ['level', 'subject'] as const)
    if (event[name] === undefined) throw invalidSetting(`${name}Template`, 'is required');
  return filled({
    ...event,
    message: config.messageTemplate(data),
    eventTags: tagsOf(keyedPairs(config.eventTags, data)),
    creationDate: timeOf(config, data),
  });
}

/** Returns the time of the event, or `undefined` for now. */
function timeOf({ timeSourceType, timeSourcePath }: Settings, data: unknown): unknown {
  if (timeSourceType === 'now') return undefined;
  if (timeSourceType === 'payloadTime') return payloadTime(data);
  const given = timeSourcePath(data);
  return typeof given === 'number' ? new Date(given) : given;
}
