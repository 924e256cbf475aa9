import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { isId } from '../../graph/graph.js';
import { callApi, nullIfMissing, writesAnswer } from '../resources/call-api.js';
import { advancedQuery, find, findWith } from '../resources/find.js';
import { renderedPairs, tagConditions, tagPairs } from '../resources/tag-pairs.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    findMethod: setting.word('id', 'query', 'name', 'findByAllTags', 'findByAnyTags'),
    idTemplate: setting.requiredTemplate,
    tags: tagPairs,
    queryTemplate: setting.required(advancedQuery),
    resultPath: setting.required(setting.target),
  }),
  find,
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(findGroups),
};

async function findGroups(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const list = (query: unknown, multiple = config.findMultiple) =>
    findWith(path, { ...config, findMultiple: multiple }, 'experienceGroups.get', { query });
  const tags = () => tagConditions('groupTags', renderedPairs(config.tags, data));
  const { findMethod } = config;
  if (findMethod === 'query') return list(config.queryTemplate(data));
  if (findMethod === 'findByAllTags') return list({ $and: tags() });
  if (findMethod === 'findByAnyTags') return list({ $or: tags() });
  const given = config.idTemplate(data);
  if (findMethod === 'name') return list({ name: { $eq: given } }, false);
  if (!isId(given)) return { result: null };
  return nullIfMissing(await callApi(path, 'experienceGroup.get', { experienceGroupId: given }));
}
