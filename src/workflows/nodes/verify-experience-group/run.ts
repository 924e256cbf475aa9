import type { NodeRun } from '../../engine/node-run.js';
import { isId } from '../../graph/graph.js';
import { callApi, nullIfMissing, resultOrFault } from '../resources/call-api.js';
import { findUser, type ExperienceUser } from '../resources/experience-users.js';
import * as setting from '../settings.js';

const settings = setting.group({
  emailOrIdTemplate: setting.requiredTemplate,
  groupIdTemplate: setting.requiredTemplate,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    ({ emailOrIdTemplate, groupIdTemplate }) =>
    async (path) => {
      const { data } = path.payload;
      const experienceGroupId = groupIdTemplate(data).toLowerCase();
      const emailOrId = emailOrIdTemplate(data);
      if (!isId(experienceGroupId)) return 0;
      const user = resultOrFault(await findUser(path, emailOrId)) as ExperienceUser | null;
      if (!user || user.experienceGroups.length === 0) return 0;
      const answer = nullIfMissing(await callApi(path, 'experienceGroup.get', { experienceGroupId }));
      const group = resultOrFault(answer) as { ancestorIds: readonly string[] } | null;
      if (!group) return 0;
      const groups = new Set([experienceGroupId, ...group.ancestorIds]);
      return user.experienceGroups.some(({ id }) => groups.has(id)) ? 1 : 0;
    },
};
