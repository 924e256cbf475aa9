import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import { tokenRequest, tokenSettings } from '../resources/sign-in-settings.js';
import { actorOf } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    emailTemplate: setting.template,
    passwordTemplate: setting.template,
    tokenTemplate: setting.template,
    userResultPath: setting.target,
    tokenResultPath: setting.optional(setting.target),
  }),
  tokenSettings,
);
type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config, { meta }) => {
    const mode = MODES.get(meta?.authMode) ?? byPassword;
    return async (path) => {
      const { payload, run } = path;
      const request = tokenRequest(config, payload.data, true);
      const userId = await mode(config, path);
      const token = userId && (await run.ports.signIns.signIn(actorOf(path), userId, request));
      if (!token) return 0;
      config.userResultPath(
        payload,
        resultOrFault(await callApi(path, 'experienceUser.get', { experienceUserId: userId })),
      );
      config.tokenResultPath?.(payload, token);
      return 1;
    };
  },
};

/** Finds the user with the given credentials. Blank ones belong to no user. */
type Mode = (config: Settings, path: RunPath) => Promise<string | undefined>;

async function byPassword({ emailTemplate, passwordTemplate }: Settings, path: RunPath): ReturnType<Mode> {
  const { data } = path.payload;
  const [email, password] = [emailTemplate(data), passwordTemplate(data)];
  if (email === '' || password === '') return undefined;
  return path.run.ports.signIns.userOfPassword(actorOf(path), email, password);
}

async function byToken({ tokenTemplate }: Settings, path: RunPath): ReturnType<Mode> {
  const token = tokenTemplate(path.payload.data).trim();
  return token === '' ? undefined : path.run.ports.signIns.userOfToken(actorOf(path), token);
}

/** Also requires that the token belongs to the user with the email address. */
async function byTokenOfEmail(config: Settings, path: RunPath): ReturnType<Mode> {
  const userId = await byToken(config, path);
  if (userId === undefined) return undefined;
  const user = resultOrFault(await callApi(path, 'experienceUser.get', { experienceUserId: userId }));
  const { email } = user as { email: string };
  return email === config.emailTemplate(path.payload.data).trim().toLowerCase() ? userId : undefined;
}

const MODES: ReadonlyMap<unknown, Mode> = new Map<unknown, Mode>([
  ['emailPassword', byPassword],
  ['token', byToken],
  ['tokenEmail', byTokenOfEmail],
  [
    'tokenEmailPassword',
    async (config, path) => (await byTokenOfEmail(config, path)) ?? byPassword(config, path),
  ],
]);
