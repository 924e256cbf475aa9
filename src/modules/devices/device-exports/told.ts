/** What descriptions say of CSV files. */
export const CSV_TOLD =
  "Attributes of the type `blob` are left out unless `includeBlobData` is set. Text that a spreadsheet would take for a formula has a `'` before it.";

/** What descriptions say of how a job ends; `data` is what a callback has of that. */
export const jobTold = (data: string) =>
  `When the job has ended, \`email\` gets a mail, and \`callbackUrl\` a \`POST\` with \`{type, timestamp, data}\`, where \`data\` has \`jobId\`, \`applicationId\`, \`status\` (\`completed\` or \`failed\`), and ${data}. The \`POST\` is signed as Standard Webhooks has it, with a secret of the application that the operator has, and is tried again for about two hours until it is answered with a status of 200 to 299; \`webhook-id\` is the same each time. Without both, the user who asks gets the mail.`;

/** What they say of long work that ends in a link, which is valid for so long. */
export const outcomeTold = (valid: string) =>
  `It goes on as a job. ${jobTold(`\`url\` and \`expiresAt\`, or \`error\`; the link is valid for ${valid}`)}`;

export const OUTCOME_TOLD = outcomeTold('24 hours');

/** What descriptions say of callers who reach some devices only. */
export const REACH_TOLD = 'A device whose key reaches some devices only exports those.';

export const EXPORT_ERRORS = {
  429: 'This was exported a moment ago; `Retry-After` says when it can be again.',
};
