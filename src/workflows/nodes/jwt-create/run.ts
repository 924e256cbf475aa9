import jwt from 'jsonwebtoken';
import { isObject } from '../../../lib/json/json.js';
import type { NodeRun } from '../../engine/node-run.js';
import { algorithmNamed, jwtKey, keyOf, signingKey, type JwtKey } from '../jwt-keys.js';
import * as setting from '../settings.js';

const MAX_LENGTH = 64 * 1024;

const settings = setting.all(
  setting.group({
    expiresIn: setting.number(),
    destinationPath: setting.required(setting.target),
  }),
  jwtKey,
  setting.formed('dataTemplateType', 'dataTemplate', 'json', 'path'),
  setting.formed('headerTemplateType', 'headerTemplate', 'json', 'path'),
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const key = await keyOf(config, path);
    const claims = config.dataTemplate?.(payload.data);
    const headers = config.headerTemplate?.(payload.data);
    config.destinationPath(payload, signed(key, claims, headers, config.expiresIn(payload.data)));
    return undefined;
  },
};

/** Returns the token, or an error object. Claims win over settings, and headers over the algorithm. */
function signed(
  { secret, issuer, algorithm }: JwtKey,
  claims: unknown,
  headers: unknown,
  seconds: number,
): unknown {
  try {
    if (!isObject(claims)) throw new Error('dataTemplate must be an object');
    if (headers !== undefined && !isObject(headers)) throw new Error('headerTemplate must be an object');
    if (JSON.stringify([claims, headers]).length > MAX_LENGTH)
      throw new Error(`dataTemplate must have at most ${MAX_LENGTH} characters`);
    const used = algorithmNamed(headers?.alg ?? (algorithm || 'HS256'));
    if (!used) throw new Error('algorithmTemplate must be HS256, RS256, ES256 or a longer form of them');
    return jwt.sign({ ...claims }, signingKey(used, secret), {
      algorithm: used,
      header: { ...headers, alg: used },
      ...(claims.exp === undefined && Number.isFinite(seconds) && { expiresIn: Math.floor(seconds) }),
      ...(claims.iss === undefined && issuer !== '' && { issuer }),
    });
  } catch (error) {
    return { error: { type: 'JWTError', message: (error as Error).message } };
  }
}
