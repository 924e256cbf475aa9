import type { Family } from './families.js';
import { TemporaryBlob } from './blobs/temporary-blob.entity.js';
import { CALLBACK_SEND } from './callbacks/callbacks.service.js';
import { Job } from './jobs/job.entity.js';
import { MAIL_SEND } from './mail/mail.service.js';
import { SecretsKeyCheck } from './sealed/secrets-key-check.entity.js';

/** Tables and jobs of the platform itself. */
export const PLATFORM_FAMILY: Family = {
  entities: [Job, SecretsKeyCheck, TemporaryBlob],
  jobs: [CALLBACK_SEND, MAIL_SEND],
};
