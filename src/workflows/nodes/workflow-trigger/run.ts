import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { invalidSetting } from '../../engine/run-error.js';
import type { FlowTrigger } from '../../graph/graph.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    triggerWorkflowId: setting.text,
    triggerVirtualButtonId: setting.text,
    flowVersionTemplate: setting.template,
    behavior: setting.word('immediate', 'schedule', 'cancel'),
  }),
  setting.formed('payloadTemplateType', 'payloadTemplate', 'json', 'string', 'path'),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    if (config.behavior !== 'immediate')
      throw invalidSetting('behavior', 'must be immediate: runs cannot be scheduled');
    const answer = await press(config, path, config.triggerVirtualButtonId);
    const isRefused = 'error' in answer && [400, 404].includes(answer.error.statusCode);
    resultOrFault(isRefused ? await pressByEditorId(config, path, answer) : answer);
    return undefined;
  },
};

function press(config: Settings, path: RunPath, key: string): Promise<ApiResult> {
  const { data } = path.payload;
  const payload = config.payloadTemplate?.(data);
  const flowVersion = config.flowVersionTemplate(data);
  const isDefault = flowVersion === '' || flowVersion === 'default';
  const body = { key, ...(payload !== undefined && { payload }), ...(!isDefault && { flowVersion }) };
  return callApi(path, 'flow.pressVirtualButton', { flowId: config.triggerWorkflowId }, body);
}

/** Presses the button with an ID of the editor. Imported workflows refer to it, because keys are made anew. */
async function pressByEditorId(config: Settings, path: RunPath, refused: ApiResult): Promise<ApiResult> {
  const answer = await callApi(path, 'flow.get', { flowId: config.triggerWorkflowId });
  if ('error' in answer) return answer;
  const { triggers } = answer.result as { triggers: readonly FlowTrigger[] };
  const button = triggers.find(({ type, meta }) => {
    const { uiId, id } = (meta ?? {}) as { uiId?: unknown; id?: unknown };
    return type === 'virtualButton' && (uiId ?? id) === config.triggerVirtualButtonId;
  });
  return button?.key === undefined ? refused : press(config, path, button.key);
}
