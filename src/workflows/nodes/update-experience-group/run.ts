import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, notFound, writesAnswer } from '../resources/call-api.js';
import { keyedPairs, mergedTags, tagPairs } from '../resources/tag-pairs.js';
import { filled, writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const MAX_MEMBERS = 1_000;
const members = setting.optional(setting.list(setting.template, MAX_MEMBERS));

const settings = setting.all(
  setting.group({
    groupIdTemplate: setting.requiredTemplate,
    nameTemplate: setting.template,
    descriptionTemplate: setting.template,
    parentIdTemplate: setting.template,
    groupTags: tagPairs,
    deviceQueryJsonTemplate: setting.optional(setting.json),
    membersToAdd: members,
    membersToRemove: members,
    membersReplacement: members,
    resultPath: setting.target,
  }),
  writeMode('groupJsonTemplate', 'groupPayloadPath'),
);

type Settings = setting.Read<typeof settings>;

/** A group, as far as the node reads it. */
interface FoundGroup {
  readonly groupTags: Readonly<Record<string, string>>;
  readonly experienceUserIds: readonly string[];
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(updateGroup),
};

async function updateGroup(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const experienceGroupId = config.groupIdTemplate(data);
  if (!isId(experienceGroupId)) return notFound('Experience Group');
  const write = (group: unknown) => callApi(path, 'experienceGroup.patch', { experienceGroupId }, group);
  if (config.document) return write(config.document(data));
  const found = await callApi(path, 'experienceGroup.get', { experienceGroupId });
  if ('error' in found) return found;
  const group = found.result as FoundGroup;
  const tags = keyedPairs(config.groupTags, data);
  return write(
    filled({
      name: config.nameTemplate(data),
      description: config.descriptionTemplate(data),
      parentId: config.parentIdTemplate(data),
      deviceQueryJson: config.deviceQueryJsonTemplate && JSON.stringify(config.deviceQueryJsonTemplate(data)),
      groupTags: tags.length > 0 ? mergedTags(group.groupTags, tags) : undefined,
      experienceUserIds: membersOf(config, data, group),
    }),
  );
}

/** Returns the IDs of all members afterwards, or `undefined` if the node changes none. */
function membersOf(config: Settings, data: unknown, group: FoundGroup): string[] | undefined {
  const { membersToAdd, membersToRemove, membersReplacement } = config;
  const idsOf = (ids: typeof membersToAdd) => (ids ?? []).map((id) => id(data)).filter((id) => id !== '');
  if (membersReplacement) return idsOf(membersReplacement);
  const [added, removed] = [idsOf(membersToAdd), new Set(idsOf(membersToRemove))];
  if (added.length === 0 && removed.size === 0) return undefined;
  return [...new Set([...group.experienceUserIds, ...added])].filter((id) => !removed.has(id));
}
