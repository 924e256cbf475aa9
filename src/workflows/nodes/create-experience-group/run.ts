import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
import { keyedPairs, tagPairs, tagsOf } from '../resources/tag-pairs.js';
import { filled, writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    nameTemplate: setting.requiredTemplate,
    descriptionTemplate: setting.template,
    parentIdTemplate: setting.template,
    groupTagTemplates: tagPairs,
    deviceQueryJsonTemplate: setting.optional(setting.json),
    resultPath: setting.target,
  }),
  writeMode('groupJsonTemplate', 'groupPayloadPath'),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer((config, path) => {
    const group = config.document ? config.document(path.payload.data) : groupOf(config, path);
    return callApi(path, 'experienceGroups.post', {}, group);
  }),
};

function groupOf(config: Settings, { payload: { data } }: RunPath): Record<string, unknown> {
  return filled({
    name: config.nameTemplate(data),
    description: config.descriptionTemplate(data),
    parentId: config.parentIdTemplate(data),
    groupTags: tagsOf(keyedPairs(config.groupTagTemplates, data)),
    deviceQueryJson: config.deviceQueryJsonTemplate && JSON.stringify(config.deviceQueryJsonTemplate(data)),
  });
}
