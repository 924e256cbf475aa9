import type { NodeRun } from '../../engine/node-run.js';
import { resultOrFault } from '../resources/call-api.js';
import { findUser, type ExperienceUser } from '../resources/experience-users.js';
import { tokenRequest, tokenSettings } from '../resources/sign-in-settings.js';
import { actorOf } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    emailOrIdTemplate: setting.requiredTemplate,
    treatAsLogin: setting.flag(),
    resultPath: setting.required(setting.target),
  }),
  tokenSettings,
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const request = tokenRequest(config, payload.data, config.treatAsLogin);
    const user = resultOrFault(
      await findUser(path, config.emailOrIdTemplate(payload.data)),
    ) as ExperienceUser | null;
    const token = user && (await run.ports.signIns.signIn(actorOf(path), user.id, request));
    config.resultPath(payload, token ?? null);
    return undefined;
  },
};
