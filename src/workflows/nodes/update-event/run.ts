import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, mapResult, notFound, writesAnswer } from '../resources/call-api.js';
import { advancedQuery } from '../resources/find.js';
import { eventFields, plainEventFields } from '../resources/event-fields.js';
import { keyedPairs, mergedTags } from '../resources/tag-pairs.js';
import { filled, writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  eventFields,
  writeMode('eventJsonTemplate', 'eventPayloadPath'),
  setting.group({
    targetEventIdTemplate: setting.requiredTemplate,
    queryTemplate: setting.optional(advancedQuery),
    updateMultiple: setting.flag(),
    sortField: setting.template,
    sortDirection: setting.template,
    commentTemplate: setting.template,
    resultPath: setting.target,
  }),
);

type Settings = setting.Read<typeof settings>;

/** An event, as far as the node reads it. */
interface FoundEvent {
  readonly id: string;
  readonly eventTags: Readonly<Record<string, string>>;
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(updateEvents),
};

async function updateEvents(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  if (config.queryTemplate && config.updateMultiple) {
    const query = config.queryTemplate(data);
    const answer = await callApi(
      path,
      'events.patch',
      { query },
      updateOf(config, data, { id: '', eventTags: {} }),
    );
    return mapResult(answer, () => ({ success: true }));
  }
  const found = await findEvent(config, path);
  if ('error' in found) return found;
  const event = found.result as FoundEvent | null;
  if (!event) return notFound('Event');
  const update = updateOf(config, data, event);
  const isEmpty = !config.document && Object.keys(update as object).length === 0;
  return isEmpty ? found : callApi(path, 'event.patch', { eventId: event.id }, update);
}

async function findEvent(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  if (config.queryTemplate) {
    const { sortField, sortDirection } = config;
    const sort = { sortField: sortField(data), sortDirection: sortDirection(data) };
    const answer = await callApi(path, 'events.get', {
      query: config.queryTemplate(data),
      ...sort,
      perPage: 1,
    });
    return mapResult(answer, ({ items }: { items: FoundEvent[] }) => items[0] ?? null);
  }
  const eventId = config.targetEventIdTemplate(data);
  return isId(eventId) ? callApi(path, 'event.get', { eventId }) : notFound('Event');
}

/** Returns the changes of an event. The word `null` unlinks its device. */
function updateOf(config: Settings, data: unknown, { eventTags }: FoundEvent): unknown {
  if (config.document) return config.document(data);
  const fields = plainEventFields(config, data);
  const tags = keyedPairs(config.eventTags, data);
  return filled({
    ...fields,
    ...(fields.deviceId === 'null' && { deviceId: null }),
    ...(tags.length > 0 && { eventTags: mergedTags(eventTags, tags) }),
    comment: config.commentTemplate(data),
  });
}
