import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { invalidSetting } from '../../engine/run-error.js';
import type { FlowTrigger } from '../../graph/graph.js';
import { dateOf } from '../dates.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import { actorOf, identifier, numberWithin, storageKey } from '../run-values.js';
import * as setting from '../settings.js';

/** How far in the future a press can be scheduled. */
const MAX_SECONDS = 366 * 86_400;

const schedule = setting.all(
  setting.variant(
    'scheduling',
    {
      relative: setting.group({ secondsTemplate: setting.number() }),
      absolute: setting.group({ dateTemplate: setting.value }),
    },
    'relative',
  ),
  setting.group({ runIdTemplate: identifier }),
);

const settings = setting.all(
  setting.group({
    triggerWorkflowId: setting.text,
    triggerVirtualButtonId: setting.text,
    flowVersionTemplate: setting.template,
    resultPath: setting.target,
  }),
  setting.formed('payloadTemplateType', 'payloadTemplate', 'json', 'string', 'path'),
  setting.variant(
    'behavior',
    { immediate: setting.group({}), schedule, cancel: setting.group({ runIdTemplate: storageKey }) },
    'immediate',
  ),
);

type Settings = setting.Read<typeof settings>;
type Schedule = setting.Read<typeof schedule>;

/** Presses the button with a key. */
type Press = (key: string) => Promise<ApiResult>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const { presses } = path.run.ports;
    if (config.behavior === 'cancel') {
      const runId = config.runIdTemplate(path.payload.data);
      config.resultPath(path.payload, resultOrFault(await presses.cancel(actorOf(path), runId)));
      return undefined;
    }
    const press = config.behavior === 'schedule' ? later(config, path, config) : now(config, path);
    const result = resultOrFault(await pressed(config, path, press));
    if (config.behavior === 'schedule') config.resultPath(path.payload, result);
    return undefined;
  },
};

function now(config: Settings, path: RunPath): Press {
  const { data } = path.payload;
  const payload = config.payloadTemplate?.(data);
  const flowVersion = versionOf(config, data);
  const more = {
    ...(payload !== undefined && { payload }),
    ...(flowVersion !== 'default' && { flowVersion }),
  };
  return (key) =>
    callApi(path, 'flow.pressVirtualButton', { flowId: config.triggerWorkflowId }, { key, ...more });
}

function later(config: Settings, path: RunPath, schedule: Schedule): Press {
  const { data } = path.payload;
  const press = {
    runId: schedule.runIdTemplate(data),
    flowId: config.triggerWorkflowId,
    flowVersion: versionOf(config, data),
    payload: config.payloadTemplate?.(data),
    dueAt: dueAt(schedule, data),
  };
  return (key) => path.run.ports.presses.schedule(actorOf(path), { ...press, key });
}

const versionOf = ({ flowVersionTemplate }: Settings, data: unknown): string =>
  flowVersionTemplate(data) || 'default';

function dueAt(schedule: Schedule, data: unknown): Date {
  const now = Date.now();
  if (schedule.scheduling === 'relative') {
    const seconds = numberWithin(schedule.secondsTemplate(data), 'secondsTemplate', 0, MAX_SECONDS);
    return new Date(now + seconds * 1000);
  }
  const date = dateOf(schedule.dateTemplate(data), 'UTC')?.toDate();
  if (!date || date.getTime() > now + MAX_SECONDS * 1000)
    throw invalidSetting('dateTemplate', `must be a date in at most ${MAX_SECONDS} seconds`);
  return date.getTime() < now ? new Date(now) : date;
}

/** Presses a button by its key, or else by its ID of the editor: keys are made anew when workflows are imported. */
async function pressed({ triggerWorkflowId, ...config }: Settings, path: RunPath, press: Press) {
  const answer = await press(config.triggerVirtualButtonId);
  if ('result' in answer || ![400, 404].includes(answer.error.statusCode)) return answer;
  const found = await callApi(path, 'flow.get', { flowId: triggerWorkflowId });
  if ('error' in found) return found;
  const { triggers } = found.result as { triggers: readonly FlowTrigger[] };
  const button = triggers.find(({ type, meta }) => {
    const { uiId, id } = (meta ?? {}) as { uiId?: unknown; id?: unknown };
    return type === 'virtualButton' && (uiId ?? id) === config.triggerVirtualButtonId;
  });
  return button?.key === undefined ? answer : press(button.key);
}
