import { verify, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import { promisify } from 'node:util';
import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';
import { keyRefused, publicKey, signatureSettings, signingOf } from '../signatures.js';

const settings = setting.all(
  signatureSettings,
  setting.group({ signatureTemplate: setting.requiredTemplate }),
);

/** Uses a thread of Node, unlike the form without a callback. */
const verifyAsync = promisify(
  (
    algorithm: string,
    data: Buffer,
    key: VerifyKeyObjectInput & { key: KeyObject },
    signature: Buffer,
    done: (error: Error | null, isValid: boolean) => void,
  ) => verify(algorithm, data, key, signature, done),
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { algorithm, data, options, signatureEncoding } = signingOf(config, path.payload.data);
    const signature = Buffer.from(config.signatureTemplate(path.payload.data), signatureEncoding);
    const key = await publicKey(config, path);
    const isValid = await verifyAsync(algorithm, data, { ...options, key }, signature).catch(keyRefused);
    return isValid ? 1 : 0;
  },
};
