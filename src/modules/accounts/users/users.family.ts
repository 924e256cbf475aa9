import type { Family } from '../../../platform/families.js';
import { COUNTED_USERS } from './user.columns.js';
import { User } from './user.entity.js';
import { USER_PURGE } from './users.jobs.js';
import { UsersModule } from './users.module.js';

/** Users and the deletion of accounts. */
export const USERS_FAMILY: Family = {
  modules: [UsersModule],
  entities: [User],
  jobs: [USER_PURGE],
  countedRows: COUNTED_USERS,
};
