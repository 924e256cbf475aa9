import { StringField } from '../fields/fields.js';
import { QueryText } from '../lists/query-fields.js';

const EMAIL = {
  maxLength: 1024,
  description: 'Who gets a mail when the job has ended.',
  example: 'ada@example.com',
};
const CALLBACK_URL = {
  maxLength: 1024,
  description: 'What gets a signed `POST` when the job has ended: https, and public.',
  example: 'https://example.com/jobs',
};
const BODY_FIRST = 'Where the body names one, that counts.';

/** Who hears when a job has ended, as bodies name them. */
export class ListenersBody {
  @StringField({ ...EMAIL, column: false, format: 'email' })
  email?: string;

  @StringField({ ...CALLBACK_URL, column: false, format: 'uri' })
  callbackUrl?: string;
}

/** Who hears when a job has ended, as queries name them. */
export class ListenersQuery {
  @QueryText({ ...EMAIL, description: `${EMAIL.description} ${BODY_FIRST}` })
  email?: string;

  @QueryText({ ...CALLBACK_URL, description: `${CALLBACK_URL.description} ${BODY_FIRST}` })
  callbackUrl?: string;
}
