import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { openedCredential } from '../credentials.js';
import { errorObject, exchange, fetched } from '../http-services.js';
import * as setting from '../settings.js';

const URL = 'https://api.sendgrid.com/v3/mail/send';
const MAX_RECIPIENTS = 1_000;
const MAX_ATTACHMENTS = 10;
/** Size of all attachments; SendGrid accepts mails of 30 MB. */
const MAX_ATTACHED_BYTES = 20 * 1024 * 1024;

const addresses = setting.list(setting.template, MAX_RECIPIENTS);

const settings = setting.group({
  credentialNameTemplate: setting.optional(setting.template),
  sendgridApiKey: setting.requiredTemplate,
  fromTemplate: setting.requiredTemplate,
  toAddresses: addresses,
  ccAddresses: addresses,
  bccAddresses: addresses,
  replyToTemplate: setting.template,
  subjectTemplate: setting.requiredTemplate,
  bodyTemplate: setting.requiredTemplate,
  attachments: setting.list(
    setting.group({ filenameTemplate: setting.requiredTemplate, urlTemplate: setting.requiredTemplate }),
    MAX_ATTACHMENTS,
  ),
  resultPath: setting.target,
});

type MailSettings = setting.Read<typeof settings>;

export const run: NodeRun<MailSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { data } = path.payload;
    const { credentialNameTemplate } = config;
    const key = credentialNameTemplate
      ? String((await openedCredential(path, credentialNameTemplate(data), 'sendgrid')).apiKey)
      : config.sendgridApiKey(data);
    const mail = mailOf(config, data);
    try {
      const attachments = await attached(config, path);
      await exchange(path, {
        url: URL,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(attachments.length > 0 ? { ...mail, attachments } : mail),
      });
      config.resultPath(path.payload, { success: true });
    } catch (error) {
      config.resultPath(path.payload, errorObject(error));
    }
    return undefined;
  },
};

/** Returns a mail without its attachments, as the API of SendGrid takes it. */
function mailOf(config: MailSettings, data: unknown): object {
  const listed = (name: 'toAddresses' | 'ccAddresses' | 'bccAddresses') =>
    config[name].map((render) => render(data).trim()).filter((address) => address !== '');
  const entries = (list: readonly string[]) => list.map((text) => mailbox(text));
  const [to, cc, bcc] = [listed('toAddresses'), listed('ccAddresses'), listed('bccAddresses')];
  if (to.length === 0) throw invalidSetting('toAddresses', 'is required');
  const replyTo = config.replyToTemplate(data).trim();
  return {
    personalizations: [
      {
        to: entries(to),
        ...(cc.length > 0 && { cc: entries(cc) }),
        ...(bcc.length > 0 && { bcc: entries(bcc) }),
      },
    ],
    from: mailbox(config.fromTemplate(data).trim()),
    ...(replyTo && { reply_to: mailbox(replyTo) }),
    subject: config.subjectTemplate(data),
    content: [{ type: 'text/html', value: config.bodyTemplate(data) }],
  };
}

/** Returns an address with the name before it, if any: `Ada <ada@example.com>`. */
function mailbox(text: string): { email: string; name?: string } {
  const end = text.lastIndexOf('<');
  if (end < 1 || !text.endsWith('>')) return { email: text };
  return { email: text.slice(end + 1, -1), name: text.slice(0, end).trim() };
}

async function attached({ attachments }: MailSettings, path: RunPath): Promise<object[]> {
  const { data } = path.payload;
  const files: object[] = [];
  let bytes = 0;
  for (const { filenameTemplate, urlTemplate } of attachments) {
    const { body } = await fetched(path, urlTemplate(data));
    bytes += body.length;
    if (bytes > MAX_ATTACHED_BYTES) throw invalidSetting('attachments', 'must have at most 20 MiB');
    files.push({ filename: filenameTemplate(data), content: body.toString('base64') });
  }
  return files;
}
