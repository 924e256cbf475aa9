import type { Family } from '../../../platform/families.js';
import { MailInModule } from './mail-in.module.js';

/** Emails that trigger workflows. */
export const MAIL_IN_FAMILY: Family = {
  modules: [MailInModule],
};
