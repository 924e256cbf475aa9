import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { encoding } from '../encodings.js';
import * as setting from '../settings.js';

const settings = setting.group({
  dataTemplate: setting.template,
  algorithmTemplate: setting.requiredTemplate,
  secretTemplate: setting.template,
  encodingTemplate: setting.template,
  dataEncodingTemplate: setting.template,
  secretEncodingTemplate: setting.template,
  destinationPath: setting.required(setting.target),
});

/** Names of algorithms in Node. Its OpenSSL has no Whirlpool. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA1', 'sha1'],
  ['SHA256', 'sha256'],
  ['SHA512', 'sha512'],
  ['RIPEMD', 'ripemd160'],
]);
const WHIRLPOOL = 'WHIRLPOOL';

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    (config) =>
    ({ payload }) => {
      const { data } = payload;
      const algorithm = config.algorithmTemplate(data).trim().toUpperCase();
      const secret = Buffer.from(
        config.secretTemplate(data),
        encoding(config.secretEncodingTemplate(data), 'secretEncodingTemplate'),
      );
      const content = Buffer.from(
        config.dataTemplate(data),
        encoding(config.dataEncodingTemplate(data), 'dataEncodingTemplate'),
      );
      const shown = encoding(config.encodingTemplate(data), 'encodingTemplate', 'hex');
      const write = (digest: Buffer): undefined =>
        void config.destinationPath(payload, digest.toString(shown));
      if (algorithm === WHIRLPOOL) return whirlpool(content, secret).then(write);
      const hash = hashOf(algorithm, secret);
      return write(hash.update(content).digest());
    },
};

function hashOf(algorithm: string, secret: Buffer): Hash | Hmac {
  const name = ALGORITHMS.get(algorithm);
  if (name === undefined)
    throw invalidSetting(
      'algorithmTemplate',
      `must be one of ${[...ALGORITHMS.keys(), 'Whirlpool'].join(', ')}`,
    );
  return secret.length === 0 ? createHash(name) : createHmac(name, secret);
}

async function whirlpool(content: Buffer, secret: Buffer): Promise<Buffer> {
  const { createHMAC, createWhirlpool } = await import('hash-wasm');
  const hash = await (secret.length === 0 ? createWhirlpool() : createHMAC(createWhirlpool(), secret));
  return Buffer.from(hash.init().update(content).digest('binary'));
}
