import type { Family } from '../../../platform/families.js';
import { AuthModule } from './auth.module.js';
import { SamlId, SsoDomain } from './auth.resource.js';

/** Sign-in of users and devices, also through an identity provider. */
export const AUTH_FAMILY: Family = {
  modules: [AuthModule],
  entities: [SamlId, SsoDomain],
  tag: {
    name: 'auth',
    title: 'Sign-in',
    group: 'Account',
    resources: ['auth'],
    description: 'Sign in; no token required.',
  },
};
