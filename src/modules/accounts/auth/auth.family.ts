import type { Family } from '../../../platform/families.js';
import { AuthModule } from './auth.module.js';
import { SamlId, SsoDomain } from './auth.resource.js';

/** Sign-in of users and devices, also through an identity provider. */
export const AUTH_FAMILY: Family = {
  modules: [AuthModule],
  entities: [SamlId, SsoDomain],
  tags: [{ name: 'auth', description: 'Sign in; no token required.' }],
};
