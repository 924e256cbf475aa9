import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { httpServers } from '../../../test/doubles/http-servers.js';
import { reroutedHttp } from '../../../test/doubles/rerouted-http.js';
import { runNode } from '../../../test/doubles/run-node.js';
import {
  isSignedRight,
  S3_ENVIRONMENT,
  startS3Server,
  type S3Server,
} from '../../../test/doubles/s3-server.js';
import type { Ports } from '../engine/ports.js';
import { awsLambdaNode } from './aws-lambda/index.js';
import { awsS3GetNode } from './aws-s3-get/index.js';
import { awsS3PutNode } from './aws-s3-put/index.js';
import type { NodeKind } from './node-kind.js';
import { sqsSendNode } from './sqs-send/index.js';

const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: region } = S3_ENVIRONMENT;
const INLINE = { awsAccessKeyId: id, awsSecretAccessKey: secret, awsRegion: region };
const members = { accessKeyId: id, secretAccessKey: secret, region };
const credentials: Ports['credentials'] = {
  opened: async (_application, name) =>
    name === 'aws' ? { type: 'aws', enabled: true, members } : undefined,
};

async function after(
  kind: NodeKind,
  origin: string,
  config: object,
  payload: object = {},
  node = {},
): Promise<any> {
  const ports = { http: reroutedHttp(origin), credentials };
  return (await runNode(kind, config, payload, { ports, node })).payload;
}

describe('AwsS3PutNode and AwsS3GetNode', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server('field');
  });
  afterAll(() => s3.close());
  const inline = { accessKeyIdTemplate: id, secretAccessKeyTemplate: secret, regionTemplate: region };
  const object = {
    ...inline,
    bucketNameTemplate: 'field',
    fileNameTemplate: 'a b/{{n}}(1).txt',
    destination: 'r',
  };
  const put = { ...object, contentTypeTemplate: 'text/plain' };

  it('store and read an object', async () => {
    const content = { fileContentTemplate: 'Grüße {{n}}' };
    expect((await after(awsS3PutNode, s3.endpoint, { ...put, ...content }, { n: 7 })).r).toEqual({
      success: true,
    });
    expect((await after(awsS3GetNode, s3.endpoint, object, { n: 7 })).r).toEqual({
      value: 'Grüße 7',
      metadata: expect.objectContaining({ contentType: 'text/plain', contentLength: 9 }),
    });
    const base64 = { ...object, encodingTemplate: 'base64' };
    const { value } = (await after(awsS3GetNode, s3.endpoint, base64, { n: 7 })).r;
    expect(Buffer.from(value, 'base64').toString()).toBe('Grüße 7');
  });

  it('create a link that is valid without a key', async () => {
    await after(awsS3PutNode, s3.endpoint, { ...put, fileContentTemplate: 'linked' }, { n: 8 });
    const link = { ...object, isDownloadURL: true };
    const { r } = await after(awsS3GetNode, s3.endpoint, link, { n: 8 });
    expect(r.metadata.contentLength).toBe(6);
    const answer = await reroutedHttp(s3.endpoint).send(
      { id: '', applicationId: '', flowId: '' },
      { url: r.value },
      new AbortController().signal,
    );
    expect([answer.status, answer.body.toString()]).toEqual([200, 'linked']);
  });

  it('write errors of the service, and refuse a wrong secret', async () => {
    expect((await after(awsS3GetNode, s3.endpoint, object, { n: 'none' })).r).toEqual({
      error: 'The specified key does not exist.',
    });
    const wrong = { ...put, secretAccessKeyTemplate: 'Wrong-Horse-8', fileContentTemplate: 'x' };
    const { r } = await after(awsS3PutNode, s3.endpoint, wrong, { n: 9 });
    expect(r).toEqual({ success: false, error: expect.any(String) });
    expect(JSON.stringify(r)).not.toContain('Wrong-Horse-8');
    expect((await after(awsS3GetNode, s3.endpoint, object, { n: 9 })).r).toHaveProperty('error');
  });

  it('fail for names that lead elsewhere', async () => {
    for (const config of [
      { fileNameTemplate: '../other/x' },
      { bucketNameTemplate: '..' },
      { regionTemplate: 'evil.example/' },
      { bucketNameTemplate: '{{none}}' },
      { credentialNameTemplate: 'none' },
    ])
      await expect(after(awsS3GetNode, s3.endpoint, { ...object, ...config })).rejects.toMatchObject({
        name: 'ValidationError',
      });
  });
});

describe('Nodes of AWS', () => {
  const { serve } = httpServers();

  /** Answers signed requests only. */
  const service = (answer: (request: IncomingMessage, body: string) => [number, object | string, object?]) =>
    serve((request, response) => {
      void buffer(request).then((body) => {
        const url = new URL(request.url!, `https://${request.headers.host}`);
        const isHashed =
          request.headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex');
        const isSigned = !!request.headers.authorization && isHashed && isSignedRight(request, url);
        const [status, content, headers] = isSigned
          ? answer(request, body.toString())
          : [403, { message: 'The signature does not match' }];
        const text = typeof content === 'string' ? content : JSON.stringify(content);
        response.writeHead(status, { ...headers }).end(text);
      });
    });

  it('AwsLambdaNode invokes a function', async () => {
    const seen: string[] = [];
    const origin = await service((request, body) => {
      seen.push(`${request.method} ${request.headers.host}${request.url} ${body}`);
      return [200, '{"sum":3}', { 'x-amz-log-result': 'bG9n' }];
    });
    const config = { ...INLINE, functionName: 'add', resultPath: 'r' };
    const r = { StatusCode: 200, LogResult: 'bG9n', Payload: '{"sum":3}' };
    expect(await after(awsLambdaNode, origin, config, { a: 1 })).toEqual({ a: 1, r });
    const ofPath = { credentialNameTemplate: 'aws', sourceMethod: 'payloadPath', sourceData: 'a' };
    await after(awsLambdaNode, origin, { functionName: 'add', ...ofPath }, { a: 1 });
    const ofJson = { ...config, sourceMethod: 'jsonTemplate', sourceData: '[{{a}}]' };
    await after(awsLambdaNode, origin, ofJson, { a: 1 });
    const url = 'POST lambda.eu-central-1.amazonaws.com/2015-03-31/functions/add/invocations';
    expect(seen).toEqual([`${url} {"a":1}`, `${url} 1`, `${url} [1]`]);
  });

  it('AwsLambdaNode throws or writes errors', async () => {
    const origin = await service(() => [404, { Message: 'Function not found' }]);
    const config = { ...INLINE, functionName: 'add' };
    const error = { name: 'AWSLambda', message: 'Function not found' };
    await expect(after(awsLambdaNode, origin, config)).rejects.toMatchObject(error);
    const written = { ...config, errorBehavior: 'payloadPath', errorPath: 'e' };
    expect(await after(awsLambdaNode, origin, written)).toEqual({
      e: { type: 'AWSLambda', message: 'Function not found' },
    });
    expect(await after(awsLambdaNode, origin, { ...written, awsSecretAccessKey: 'other' })).toEqual({
      e: { type: 'AWSLambda', message: 'The signature does not match' },
    });
    await expect(after(awsLambdaNode, origin, { ...written, functionName: '{{none}}' })).rejects.toThrow(
      'functionName is required',
    );
  });

  it('SqsSendNode sends a message with attributes', async () => {
    let seen: any;
    const origin = await service((request, body) => {
      seen = [request.headers['x-amz-target'], request.headers.host, JSON.parse(body)];
      return [200, { MessageId: 'm1' }];
    });
    const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/1/field.fifo';
    const config = {
      ...INLINE,
      queueUrl,
      dataMethod: 'payloadPath',
      dataPayloadPath: 'd',
      attributeFields: [{ name: 'site', value: '{{s}}' }],
      messageGroupIdTemplate: 'g',
      resultPath: 'r',
    };
    const { r } = await after(sqsSendNode, origin, config, { d: { t: 7 }, s: 'north' });
    expect(r).toEqual({ success: true, messageId: 'm1' });
    expect(seen).toEqual([
      'AmazonSQS.SendMessage',
      'sqs.eu-central-1.amazonaws.com',
      {
        QueueUrl: queueUrl,
        MessageBody: '{"t":7}',
        MessageAttributes: { site: { DataType: 'String', StringValue: 'north' } },
        MessageGroupId: 'g',
      },
    ]);
    const wrong = await after(sqsSendNode, origin, { ...config, awsSecretAccessKey: 'other' });
    expect(wrong.r).toEqual({
      success: false,
      error: { type: 'ServiceError', message: 'The signature does not match' },
    });
    await expect(after(sqsSendNode, origin, { ...config, queueUrl: 'ftp://x' })).rejects.toThrow('queueUrl');
    await expect(after(sqsSendNode, origin, { ...config, integrationId: 'x' })).rejects.toMatchObject({
      name: 'NotAvailable',
    });
  });
});
