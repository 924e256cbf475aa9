import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
import { keyedPairs, tagsOf } from '../resources/tag-pairs.js';
import { plainUserFields, userFields } from '../resources/user-fields.js';
import { writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  userFields,
  writeMode('userJsonTemplate', 'userPayloadPath'),
  setting.group({ resultPath: setting.target }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer((config, path) => {
    const user = config.document ? config.document(path.payload.data) : userOf(config, path);
    return callApi(path, 'experienceUsers.post', {}, user);
  }),
};

function userOf(config: Settings, { payload: { data } }: RunPath): Record<string, unknown> {
  const user = plainUserFields(config, data);
  for (const name of ['email', 'password'] as const)
    if (user[name] === undefined) throw invalidSetting(`${name}Template`, 'is required');
  return { ...user, userTags: tagsOf(keyedPairs(config.userTags, data)) };
}
