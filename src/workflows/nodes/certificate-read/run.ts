import { ApiError } from '../../../lib/errors/errors.js';
import { readPem } from '../../../lib/crypto/pem.js';
import type { NodeRun } from '../../engine/node-run.js';
import { pemSource, shownCertificate } from '../certificates.js';
import * as setting from '../settings.js';

const settings = setting.all(
  pemSource('crtTemplate', 'crtTemplateType'),
  setting.group({ resultPath: setting.required(setting.target) }),
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ pemOf, resultPath }) =>
    ({ payload }) => {
      resultPath(payload, readAll(pemOf(payload.data)));
      return undefined;
    },
};

/** Returns a certificate, or a list of several, with an error in place of each that cannot be read. */
function readAll(pem: string): unknown {
  try {
    const [first, ...others] = readPem(pem, 'crtTemplate');
    if (others.length === 0) return readOne(first!, 'crtTemplate is not a readable certificate');
    return [first!, ...others].map((der) => readOne(der, 'Invalid certificate in bundle.'));
  } catch (error) {
    if (error instanceof ApiError) return { error: { message: error.message } };
    throw error;
  }
}

function readOne(der: Buffer, message: string): object {
  try {
    return shownCertificate(der);
  } catch {
    return { error: { message } };
  }
}
