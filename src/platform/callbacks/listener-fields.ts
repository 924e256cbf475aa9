import { StringField } from '../fields/fields.js';
import { QueryText } from '../lists/query-fields.js';

const EMAIL = {
  maxLength: 1024,
  description:
    'Email address that is notified when the job has ended. An address receives at most 100 of these emails in an hour, and an owner sends at most 200; others are not sent.',
  example: 'ada@example.com',
};
const CALLBACK_URL = {
  maxLength: 1024,
  description: 'Public `https` URL that receives a signed `POST` when the job has ended.',
  example: 'https://example.com/jobs',
};
const IGNORED_WITH_BODY = 'Ignored if the body sets this property.';

/** Listeners for the end of a job, as properties of a body. */
export class ListenersBody {
  @StringField({ ...EMAIL, column: false, format: 'email' })
  email?: string;

  @StringField({ ...CALLBACK_URL, column: false, format: 'uri' })
  callbackUrl?: string;
}

/** Listeners for the end of a job, as query parameters. */
export class ListenersQuery {
  @QueryText({ ...EMAIL, description: `${EMAIL.description} ${IGNORED_WITH_BODY}` })
  email?: string;

  @QueryText({ ...CALLBACK_URL, description: `${CALLBACK_URL.description} ${IGNORED_WITH_BODY}` })
  callbackUrl?: string;
}
