import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import * as setting from '../settings.js';
import {
  keyRefused,
  privateKey,
  signatureSettings,
  signingOf,
  type SignatureSettings,
} from '../signatures.js';

const settings = setting.all(
  signatureSettings,
  setting.group({ resultPath: setting.required(setting.target) }),
);

const signAsync = promisify(sign);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    config.resultPath(path.payload, await signed(config, path));
    return undefined;
  },
};

/** Returns the signature, or an error object. */
async function signed(config: SignatureSettings, path: RunPath): Promise<object> {
  try {
    const { algorithm, data, options, signatureEncoding } = signingOf(config, path.payload.data);
    const key = await privateKey(config, path);
    const signature = await signAsync(algorithm, data, { ...options, key }).catch(keyRefused);
    return { signature: signature.toString(signatureEncoding) };
  } catch (error) {
    if (error instanceof RunFault) return { error: { message: error.message } };
    throw error;
  }
}
