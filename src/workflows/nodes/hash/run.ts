import { createHash, createHmac } from 'node:crypto';
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

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    (config) =>
    ({ payload }) => {
      const { data } = payload;
      const algorithm = ALGORITHMS.get(config.algorithmTemplate(data).trim().toUpperCase());
      if (!algorithm)
        throw invalidSetting('algorithmTemplate', `must be one of ${[...ALGORITHMS.keys()].join(', ')}`);
      const secret = Buffer.from(
        config.secretTemplate(data),
        encoding(config.secretEncodingTemplate(data), 'secretEncodingTemplate'),
      );
      const content = Buffer.from(
        config.dataTemplate(data),
        encoding(config.dataEncodingTemplate(data), 'dataEncodingTemplate'),
      );
      const hash = secret.length === 0 ? createHash(algorithm) : createHmac(algorithm, secret);
      const shown = encoding(config.encodingTemplate(data), 'encodingTemplate', 'hex');
      config.destinationPath(payload, hash.update(content).digest().toString(shown));
      return undefined;
    },
};
