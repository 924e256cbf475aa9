/** Text about CSV files in operation descriptions. */
export const CSV_NOTE =
  "Attributes of the type `blob` are omitted unless `includeBlobData` is set. Text that a spreadsheet would interpret as a formula is prefixed with `'`.";

/** Returns the text about the notifications of a job; `data` describes the properties that the callback adds. */
export const jobNote = (data: string) =>
  `When the job ends, an email is sent to \`email\`, and a \`POST\` request with \`{type, timestamp, data}\` to \`callbackUrl\`. \`data\` contains \`jobId\`, \`applicationId\`, \`status\` (\`completed\` or \`failed\`), and ${data}. The request is signed according to Standard Webhooks, with a secret of the application that the operator holds. It is retried for about two hours until the receiver responds with a status from 200 to 299; \`webhook-id\` is the same for all attempts. If neither is set, the email is sent to the calling user.`;

/** Returns the text about a job that ends with a link; `valid` is the lifetime of the link. */
export const outcomeNote = (valid: string) =>
  `The request enqueues a job. ${jobNote(`\`url\` and \`expiresAt\`, or \`error\`; the link is valid for ${valid}`)}`;

export const OUTCOME_NOTE = outcomeNote('24 hours');

/** Text about callers who can access only some devices. */
export const REACH_NOTE =
  'If the access key of a calling device is restricted to some devices, only those are exported.';

export const EXPORT_ERRORS = {
  429: 'The previous export is too recent; `Retry-After` contains the number of seconds to wait.',
};
