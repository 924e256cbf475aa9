import type { RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { openedCredential } from '../credentials.js';
import * as setting from '../settings.js';

export interface AwsKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const REGION = /^[a-z\d-]{1,64}$/;

/** Settings of an access key: the name of a credential, or templates in members with the given names. */
export const awsKey = (id: string, secret: string, region: string): setting.Setting<KeyOf> => {
  const credential = setting.group({ credentialNameTemplate: setting.optional(setting.template) });
  const names = {
    [id]: setting.requiredTemplate,
    [secret]: setting.requiredTemplate,
    [region]: setting.requiredTemplate,
  };
  const inline = setting.group(names);
  return (raw, at) => {
    const { credentialNameTemplate } = credential(raw, at);
    const templates = inline(raw, at);
    return {
      keyOf: async (path) => {
        const { data } = path.payload;
        const key = credentialNameTemplate
          ? ((await openedCredential(path, credentialNameTemplate(data), 'aws')) as unknown as AwsKey)
          : {
              accessKeyId: templates[id]!(data),
              secretAccessKey: templates[secret]!(data),
              region: templates[region]!(data),
            };
        // The region becomes a part of the host name.
        if (!REGION.test(key.region)) throw invalidSetting(region, 'must be a region of AWS');
        return key;
      },
    };
  };
};

/** Reads the access key of a node. Throws a `RunFault`. */
export interface KeyOf {
  readonly keyOf: (path: RunPath) => Promise<AwsKey>;
}
