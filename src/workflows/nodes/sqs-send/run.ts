import { isObject } from '../../../lib/json/json.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting, RunFault } from '../../engine/run-error.js';
import { awsKey } from '../aws/aws-key.js';
import { signed } from '../aws/aws-requests.js';
import { errorObject, exchange } from '../http-services.js';
import * as setting from '../settings.js';

/** Attributes that SQS accepts. */
const MAX_ATTRIBUTES = 10;

const settings = setting.all(
  setting.group({
    integrationId: setting.text,
    queueUrl: setting.requiredTemplate,
    dataMethod: setting.word('stringTemplate', 'payloadPath'),
    dataTemplate: setting.template,
    dataPayloadPath: setting.path,
    attributeMethod: setting.word('individualFields', 'jsonTemplate', 'payloadPath'),
    attributeFields: setting.list(
      setting.group({ name: setting.template, value: setting.template }),
      MAX_ATTRIBUTES,
    ),
    attributeTemplate: setting.optional(setting.json),
    attributePayloadPath: setting.path,
    messageGroupIdTemplate: setting.template,
    messageDeduplicationIdTemplate: setting.template,
    resultPath: setting.target,
  }),
  awsKey('awsAccessKeyId', 'awsSecretAccessKey', 'awsRegion'),
);

type SqsSettings = setting.Read<typeof settings>;

export const run: NodeRun<SqsSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { data } = path.payload;
    if (config.integrationId !== '')
      throw new RunFault('NotAvailable', 'This platform has no connector for messages of integrations');
    const url = config.queueUrl(data);
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
      throw invalidSetting('queueUrl', 'must be an https URL');
    const message = messageOf(config, url, data);
    try {
      config.resultPath(path.payload, await sent(config, path, new URL(url).host, message));
    } catch (error) {
      config.resultPath(path.payload, { success: false, ...errorObject(error) });
    }
    return undefined;
  },
};

/** Sends a message in the JSON protocol of SQS. */
async function sent(config: SqsSettings, path: RunPath, host: string, message: object): Promise<object> {
  const request = {
    service: 'sqs',
    method: 'POST',
    host,
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
    body: JSON.stringify(message),
  } as const;
  const { body } = await exchange(path, await signed(request, await config.keyOf(path)));
  const { MessageId: messageId } = JSON.parse(body.toString('utf8')) as { MessageId?: string };
  return { success: true, messageId };
}

function messageOf(config: SqsSettings, QueueUrl: string, data: unknown): object {
  const content =
    config.dataMethod === 'payloadPath' ? config.dataPayloadPath(data) : config.dataTemplate(data);
  const group = config.messageGroupIdTemplate(data);
  const deduplication = config.messageDeduplicationIdTemplate(data);
  return {
    QueueUrl,
    MessageBody: typeof content === 'string' ? content : (JSON.stringify(content) ?? ''),
    MessageAttributes: attributesOf(config, data),
    ...(group && { MessageGroupId: group }),
    ...(deduplication && { MessageDeduplicationId: deduplication }),
  };
}

function attributesOf(config: SqsSettings, data: unknown): object {
  const given =
    config.attributeMethod === 'individualFields'
      ? Object.fromEntries(config.attributeFields.map(({ name, value }) => [name(data), value(data)]))
      : config.attributeMethod === 'payloadPath'
        ? config.attributePayloadPath(data)
        : config.attributeTemplate?.(data);
  if (given === undefined) return {};
  if (!isObject(given)) throw invalidSetting('attributeTemplate', 'must be an object');
  const typed = (value: unknown) => ({
    DataType: typeof value === 'number' ? 'Number' : 'String',
    StringValue: String(value),
  });
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, typed(value)]));
}
