import type { NodeRun } from '../../engine/node-run.js';
import { callApi } from '../resources/call-api.js';
import { callOnUser } from '../resources/experience-users.js';
import * as setting from '../settings.js';

const settings = setting.group({
  emailOrIdTemplate: setting.requiredTemplate,
  resultPath: setting.target,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    ({ emailOrIdTemplate, resultPath }) =>
    async (path) => {
      const answer = await callOnUser(path, emailOrIdTemplate(path.payload.data), ({ id }) =>
        callApi(path, 'experienceUser.delete', { experienceUserId: id }),
      );
      resultPath(path.payload, 'result' in answer);
      return undefined;
    },
};
