import jwt from 'jsonwebtoken';
import type { NodeRun } from '../../engine/node-run.js';
import { jwtKey, keyOf, verifyingKey, type JwtKey } from '../jwt-keys.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({ tokenTemplate: setting.requiredTemplate, errorPath: setting.target }),
  jwtKey,
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const token = config.tokenTemplate(path.payload.data);
    const error = faultOf(token, await keyOf(config, path));
    if (!error) return 1;
    config.errorPath(path.payload, { name: error.name, message: error.message });
    return 0;
  },
};

/** Returns the error of a token that is not valid. */
function faultOf(token: string, { secret, issuer }: JwtKey): Error | undefined {
  try {
    const { key, algorithms } = verifyingKey(secret);
    jwt.verify(token, key, { algorithms, ...(issuer !== '' && { issuer }) });
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
