import { parseAddress } from '../../../lib/mail/addresses.js';
import { bundled } from '../../../platform/bundles/bundled.js';
import { NO_PASSWORD } from '../../../lib/crypto/passwords.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { checkTags } from '../experience-groups/experience-tags.js';
import { EXPERIENCE_USERS, ExperienceUserPatch } from './experience-user.resource.js';

/**
 * Experience users in bundles. They have no passwords, so the body is that of an update. Imported users cannot sign in
 * until a password is set.
 */
export const BUNDLED_EXPERIENCE_USERS = bundled({
  holding: EXPERIENCE_USERS,
  resourceType: 'ExperienceUser',
  placeholderWord: 'experienceUser',
  place: { file: () => 'experience/users' },
  post: ExperienceUserPatch,
  omitted: ['password', 'tokenCutoff'],
  nameProperty: 'email',
  newOnly: ['passwordHash', 'passwordLastUpdated'],
  linked: {
    experienceGroupIds: {
      table: 'experience_group_users',
      own: 'user_id',
      other: 'group_id',
      others: 'experience_groups',
    },
  },
  row: ({ email, firstName, lastName, userTags = {} }) => {
    if (email === undefined) throw new ValidationError('experienceUser.email is required');
    checkTags(userTags, 'experienceUser.userTags');
    return {
      email: parseAddress(email, 'experienceUser.email'),
      firstName,
      lastName,
      userTags,
      passwordHash: NO_PASSWORD,
      passwordLastUpdated: new Date(),
    };
  },
});
