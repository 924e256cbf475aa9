import { tagPairs } from './tag-pairs.js';
import * as setting from '../settings.js';
import { filled } from './write-mode.js';

const MAX_GROUPS = 1_000;

/** Individual fields of an experience user. */
export const userFields = setting.group({
  emailTemplate: setting.template,
  passwordTemplate: setting.template,
  firstNameTemplate: setting.template,
  lastNameTemplate: setting.template,
  groupIdTemplates: setting.optional(setting.list(setting.template, MAX_GROUPS)),
  userTags: tagPairs,
});

export type UserFields = setting.Read<typeof userFields>;

/** Members of a user that are not blank, besides tags. An empty list of groups removes all memberships. */
export const plainUserFields = (config: UserFields, payload: unknown): Record<string, unknown> =>
  filled({
    email: config.emailTemplate(payload),
    password: config.passwordTemplate(payload),
    firstName: config.firstNameTemplate(payload),
    lastName: config.lastNameTemplate(payload),
    experienceGroupIds: config.groupIdTemplates?.map((id) => id(payload)).filter((id) => id !== ''),
  });
