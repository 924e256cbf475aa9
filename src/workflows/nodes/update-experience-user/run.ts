import { isObject } from '../../../lib/json/json.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
import { callOnUser } from '../resources/experience-users.js';
import { keyedPairs, mergedTags } from '../resources/tag-pairs.js';
import { plainUserFields, userFields } from '../resources/user-fields.js';
import { writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  userFields,
  writeMode('userJsonTemplate', 'userPayloadPath'),
  setting.group({
    emailOrIdTemplate: setting.requiredTemplate,
    invalidateExistingTokens: setting.flag(),
    resultPath: setting.target,
  }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(updateUser),
};

function updateUser(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  return callOnUser(path, config.emailOrIdTemplate(data), ({ id, userTags }) => {
    const tags = keyedPairs(config.userTags, data);
    const given = config.document
      ? config.document(data)
      : {
          ...plainUserFields(config, data),
          ...(tags.length > 0 && { userTags: mergedTags(userTags, tags) }),
        };
    const cutoff = config.invalidateExistingTokens ? { tokenCutoff: new Date() } : {};
    return callApi(
      path,
      'experienceUser.patch',
      { experienceUserId: id },
      isObject(given) ? { ...given, ...cutoff } : given,
    );
  });
}
