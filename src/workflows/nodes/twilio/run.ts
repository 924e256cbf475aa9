import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { openedCredential } from '../credentials.js';
import { exchange, serviceFault } from '../http-services.js';
import * as setting from '../settings.js';

const MAX_NUMBERS = 100;

const settings = setting.group({
  credentialNameTemplate: setting.optional(setting.template),
  accountSid: setting.requiredTemplate,
  username: setting.template,
  authToken: setting.requiredTemplate,
  fromNumber: setting.template,
  messagingServiceSid: setting.template,
  toNumbers: setting.list(setting.template, MAX_NUMBERS),
  bodyTemplate: setting.template,
  mediaUrl: setting.template,
  maxPrice: setting.template,
  resultsPath: setting.target,
});

type SmsSettings = setting.Read<typeof settings>;

interface Account {
  readonly sid: string;
  readonly username: string;
  readonly password: string;
}

export const run: NodeRun<SmsSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { data } = path.payload;
    const account = await accountOf(config, path);
    const message = messageOf(config, data);
    const numbers = config.toNumbers.map((render) => render(data).trim()).filter((to) => to !== '');
    if (numbers.length === 0) throw invalidSetting('toNumbers', 'is required');
    const results: object[] = [];
    for (const to of numbers) results.push(await sent(path, account, { ...message, To: to }));
    config.resultsPath(path.payload, results);
    return undefined;
  },
};

async function sent(path: RunPath, account: Account, message: Record<string, string>): Promise<object> {
  const { sid, username, password } = account;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  try {
    await exchange(path, {
      url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(sid)}/Messages.json`,
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(message).toString(),
    });
    return { success: true };
  } catch (error) {
    return { error: true, message: serviceFault(error).message };
  }
}

async function accountOf(config: SmsSettings, path: RunPath): Promise<Account> {
  const { data } = path.payload;
  if (config.credentialNameTemplate) {
    const members = await openedCredential(path, config.credentialNameTemplate(data), 'twilio');
    const text = (name: string): string => String(members[name]);
    return { sid: text('accountSid'), username: text('apiKeySid'), password: text('apiKeySecret') };
  }
  const sid = config.accountSid(data);
  return { sid, username: config.username(data) || sid, password: config.authToken(data) };
}

function messageOf(config: SmsSettings, data: unknown): Record<string, string> {
  const [from, service] = [config.fromNumber(data), config.messagingServiceSid(data)];
  if (!from && !service) throw invalidSetting('fromNumber', 'is required');
  const members = {
    ...(service ? { MessagingServiceSid: service } : { From: from }),
    Body: config.bodyTemplate(data),
    MediaUrl: config.mediaUrl(data),
    MaxPrice: config.maxPrice(data),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
}
