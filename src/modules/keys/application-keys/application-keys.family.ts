import type { Family } from '../../../platform/families.js';
import { APPLICATION_KEYS, ApplicationKey } from './application-key.resource.js';
import { ApplicationKeysModule } from './application-keys.module.js';

/** Access keys with which devices authenticate. */
export const APPLICATION_KEYS_FAMILY: Family = {
  modules: [ApplicationKeysModule],
  entities: [ApplicationKey],
  holdings: [APPLICATION_KEYS],
  neverBundled: {
    application_keys: 'An access key grants access to this application.',
  },
  tag: {
    name: 'applicationKeys',
    title: 'Access keys',
    group: 'Keys and certificates',
    resources: ['applicationKeys', 'applicationKey'],
    description: 'Access keys, with which devices authenticate.',
  },
};
