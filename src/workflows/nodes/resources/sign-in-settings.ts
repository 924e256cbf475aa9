import type { TokenRequest } from '../../engine/ports.js';
import { invalidSetting } from '../../engine/run-error.js';
import * as setting from '../settings.js';

const MAX_EXTRA_DATA_LENGTH = 16 * 1024;
/** Ten years. */
const MAX_TTL = 10 * 365 * 86_400_000;

/** Settings of the tokens of experience users. */
export const tokenSettings = setting.group({
  /** Milliseconds. */
  ttlTemplate: setting.number(Infinity),
  invalidateExistingTokens: setting.flag(),
  extraDataJsonTemplate: setting.optional(setting.json),
});

/** Returns the token that a node asks for. Throws a `RunFault` for another time or for too much data. */
export function tokenRequest(
  config: setting.Read<typeof tokenSettings>,
  payload: unknown,
  isLogin: boolean,
): TokenRequest {
  const ttl = config.ttlTemplate(payload);
  if (ttl !== Infinity && !(ttl >= 1 && ttl <= MAX_TTL))
    throw invalidSetting('ttlTemplate', `must be a number from 1 to ${MAX_TTL}`);
  const extraData = config.extraDataJsonTemplate?.(payload);
  if ((JSON.stringify(extraData) ?? '').length > MAX_EXTRA_DATA_LENGTH)
    throw invalidSetting('extraDataJsonTemplate', `must have at most ${MAX_EXTRA_DATA_LENGTH} characters`);
  return {
    ttl: ttl === Infinity ? undefined : ttl,
    extraData,
    isLogin,
    revokes: config.invalidateExistingTokens,
  };
}
