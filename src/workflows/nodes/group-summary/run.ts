import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import { findUser, type ExperienceUser } from '../resources/experience-users.js';
import * as setting from '../settings.js';
import { GroupTrees, type GroupNode, type ListedGroup } from './group-tree.js';

const PER_PAGE = 1_000;
const MAX_GROUPS = 10_000;
/** Devices of a group are found by a search of their own. */
const MAX_COUNTED = 100;

const settings = setting.group({
  idTemplate: setting.template,
  resultPath: setting.required(setting.target),
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    config.resultPath(path.payload, await treeFor(config.idTemplate(path.payload.data), path));
    return undefined;
  },
};

/** Returns the tree of all groups, of a group, or of those that a user is in. Other IDs yield a tree without groups. */
async function treeFor(id: string, path: RunPath): Promise<GroupNode> {
  const groups = await listGroups(path);
  const trees = new GroupTrees(groups.length > MAX_COUNTED ? groups : await withCounts(groups, path));
  if (id === '') return trees.all();
  const group = trees.from(id);
  if (group) return group;
  const user = resultOrFault(await findUser(path, id)) as ExperienceUser | null;
  return trees.below((user?.experienceGroups ?? []).map((each) => each.id));
}

/** Returns all groups in order of name. Throws a `RunFault` if there are too many. */
async function listGroups(path: RunPath): Promise<ListedGroup[]> {
  const groups: ListedGroup[] = [];
  for (let page = 0; ; page++) {
    const answer = await callApi(path, 'experienceGroups.get', {
      page,
      perPage: PER_PAGE,
      sortField: 'name',
    });
    const { items, totalCount } = resultOrFault(answer) as { items: ListedGroup[]; totalCount: number };
    if (totalCount > MAX_GROUPS)
      throw new RunFault('PayloadTooLarge', `A tree has at most ${MAX_GROUPS} experience groups`);
    groups.push(...items);
    if (items.length < PER_PAGE) return groups;
  }
}

/** Adds the number of devices in each group itself, unless their query fails. */
async function withCounts(groups: readonly ListedGroup[], path: RunPath): Promise<ListedGroup[]> {
  const counted: ListedGroup[] = [];
  for (const group of groups) {
    const parameters = { experienceGroupId: group.id, includeDirectDeviceCount: true };
    const answer = await callApi(path, 'experienceGroup.get', parameters);
    if ('error' in answer) counted.push(group);
    else {
      const { directDeviceCount } = answer.result as { directDeviceCount: number };
      counted.push({ ...group, deviceCount: directDeviceCount });
    }
  }
  return counted;
}
