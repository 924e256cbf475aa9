import { APPLICATION_PURGE } from './modules/applications/applications.jobs.js';
import { FLOW_PURGE } from './modules/flows/flows.jobs.js';
import { ORG_PURGE } from './modules/orgs/orgs.jobs.js';
import { USER_PURGE } from './modules/users/users.jobs.js';
import { CALLBACK_SEND } from './platform/callbacks/callbacks.service.js';
import { MAIL_SEND } from './platform/mail/mail.service.js';

/** Every kind of job. */
export const jobs = [APPLICATION_PURGE, CALLBACK_SEND, FLOW_PURGE, MAIL_SEND, ORG_PURGE, USER_PURGE];
