import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { writesAnswer } from '../resources/call-api.js';
import { findUser } from '../resources/experience-users.js';
import { advancedQuery, find, findWith } from '../resources/find.js';
import { renderedPairs, tagConditions, tagPairs } from '../resources/tag-pairs.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    findMethod: setting.word('emailOrId', 'userTags', 'query'),
    emailOrIdTemplate: setting.requiredTemplate,
    userTags: tagPairs,
    tags: tagPairs,
    queryTemplate: setting.required(advancedQuery),
    resultPath: setting.required(setting.target),
  }),
  find,
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(findUsers),
};

async function findUsers(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const list = (query: unknown) => findWith(path, config, 'experienceUsers.get', { query });
  if (config.findMethod === 'userTags') {
    const pairs = renderedPairs([...config.userTags, ...config.tags], data);
    return list({ $and: tagConditions('userTags', pairs) });
  }
  if (config.findMethod === 'query') return list(config.queryTemplate(data));
  return findUser(path, config.emailOrIdTemplate(data));
}
