import { jest } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { ACCEPTED, CloudServices } from '../../../../test/doubles/cloud-services.js';
import { reroutedHttp } from '../../../../test/doubles/rerouted-http.js';
import { S3_ENVIRONMENT } from '../../../../test/doubles/s3-server.js';
import { signedResponse } from '../../../../test/doubles/saml-identity-provider.js';
import { credentialOf, pem } from '../../../../test/make/credentials.js';
import { TestDeployments } from '../../../../test/make/deployments.js';
import { ranNode, type Outcome } from '../../../../test/make/node-runner.js';
import { ACS, PROVIDER, SERVICE } from '../../../../test/make/saml-metadata.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { FlowHttp } from '../../../workflows/engine/http/flow-http.js';

const google = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const services = await CloudServices.start(google.publicKey);
const { test, user, application } = suite(
  { PROCESS_ROLE: 'api,worker,engine', WORKFLOW_ORIGINS: services.origins.join(',') },
  { database: 'own' },
);

beforeAll(() => {
  const http = test.app.get(FlowHttp, { strict: false });
  const rerouted = reroutedHttp(services.originOf, { send: http.send.bind(http) });
  jest.spyOn(http, 'send').mockImplementation(rerouted.send.bind(rerouted));
});
afterAll(() => services.close());

const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region } = S3_ENVIRONMENT;
/** Credentials have longer key IDs than S3 in tests, and other services do not compare them. */
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
const keyJson = JSON.stringify({
  client_email: 'p@x.iam.gserviceaccount.com',
  private_key: google.privateKey,
  project_id: 'north',
});
const CREDENTIALS = [
  { name: 'aws', type: 'aws', awsConfig: { accessKeyId, secretAccessKey, region } },
  { name: 'other', type: 'aws', awsConfig: { accessKeyId, secretAccessKey: 'other', region } },
  { name: 'gcp', type: 'gcp', gcpConfig: { keyJson } },
  { name: 'mail', type: 'sendgrid', sendgridConfig: { apiKey: ACCEPTED.sendgridKey } },
  { ...credentialOf('certificateKeyPair'), name: 'ca' },
];

beforeEach(async () => {
  for (const credential of CREDENTIALS) {
    const path = `/applications/${application.id}/credentials`;
    const made = await test.client.post(path, credential, { token: user.token });
    expect([made.status, made.body.message]).toEqual([201, undefined]);
  }
});

const ran = (type: string, config: object, payload: unknown = {}): Promise<Outcome> =>
  ranNode(test, { token: user.token, id: application.id }, { type, config }, payload);

const AWS = { credentialNameTemplate: 'aws' };
const OBJECT = {
  accessKeyIdTemplate: id,
  secretAccessKeyTemplate: secretAccessKey,
  regionTemplate: region,
  bucketNameTemplate: 'field',
  fileNameTemplate: 'a/{{data.n}}.txt',
  destination: 'r',
};
const PUT = { ...OBJECT, contentTypeTemplate: 'text/plain', fileContentTemplate: 'n={{data.n}}' };
const SQS = { ...AWS, queueUrl: ACCEPTED.queue, dataTemplate: 'n={{data.n}}' };
const LAMBDA = {
  ...AWS,
  functionName: 'add',
  sourceMethod: 'jsonTemplate',
  sourceData: '{"a":1,"b":{{data.n}}}',
};
const AT_R = { errorBehavior: 'payloadPath', errorPath: 'r' };
const PUBLISH = { credentialNameTemplate: 'gcp', topicTemplate: 'reports', dataTemplate: 'n={{data.n}}' };
const MAIL = {
  credentialNameTemplate: 'mail',
  fromTemplate: 'plant@example.com',
  toAddresses: ['ada@example.com'],
  subjectTemplate: 'Alarm',
  bodyTemplate: 'hot',
};
const SLACK = { urlPathTemplate: ACCEPTED.slackPath, textTemplate: 'hot' };
const { sid, token: authToken, number } = ACCEPTED.twilio;
const SMS = {
  accountSid: sid,
  authToken,
  fromNumber: '+1',
  toNumbers: [number],
  bodyTemplate: 'hot',
  resultsPath: 'r',
};
const unsigned = 'The signature does not match';
const service = (message: string) => ({ error: { type: 'ServiceError', message } });
const invalid = (message: string) => ({
  error: { name: 'ValidationError', message: expect.stringContaining(message) as string },
});

/** Node type, configuration, and what the run leaves. */
const CASES: readonly [type: string, what: string, config: object, expected: Outcome][] = [
  ['AwsS3PutNode', 'stores an object', PUT, { r: { success: true } }],
  [
    'AwsS3PutNode',
    'writes the error of the service',
    { ...PUT, bucketNameTemplate: 'none' },
    { r: { success: false, error: 'The specified bucket does not exist' } },
  ],
  ['AwsS3PutNode', 'fails without a name', { ...PUT, fileNameTemplate: '' }, invalid('fileNameTemplate')],
  [
    'AwsS3GetNode',
    'writes the error of the service',
    { ...OBJECT, fileNameTemplate: 'none' },
    { r: { error: 'The specified key does not exist.' } },
  ],
  [
    'AwsS3GetNode',
    'fails without its credential',
    { ...OBJECT, credentialNameTemplate: 'gcp' },
    invalid('credentialNameTemplate must be the name of an enabled credential of type aws'),
  ],
  ['SqsSendNode', 'sends a message', SQS, { r: { success: true, messageId: 'of n=7' } }],
  [
    'SqsSendNode',
    'writes the error of the service',
    { ...SQS, queueUrl: `${ACCEPTED.queue}-none` },
    { r: { success: false, ...service('The specified queue does not exist.') } },
  ],
  [
    'SqsSendNode',
    'writes that its key is wrong',
    { ...SQS, credentialNameTemplate: 'other' },
    { r: { success: false, ...service(unsigned) } },
  ],
  [
    'SqsSendNode',
    'fails without a queue',
    { ...SQS, queueUrl: 'x' },
    invalid('queueUrl must be an https URL'),
  ],
  [
    'AwsLambdaNode',
    'invokes a function',
    LAMBDA,
    { r: { StatusCode: 200, LogResult: 'bG9n', Payload: '{"sum":8}' } },
  ],
  [
    'AwsLambdaNode',
    'fails the run',
    { ...LAMBDA, functionName: 'none' },
    { error: { name: 'AWSLambda', message: 'Function not found: none' } },
  ],
  [
    'AwsLambdaNode',
    'writes its error',
    { ...LAMBDA, ...AT_R, credentialNameTemplate: 'other' },
    { r: { type: 'AWSLambda', message: unsigned } },
  ],
  [
    'AwsLambdaNode',
    'fails without a name, also with a path for errors',
    { ...LAMBDA, ...AT_R, functionName: '{{none}}' },
    invalid('functionName is required'),
  ],
  ['GooglePublishNode', 'publishes a message', PUBLISH, { r: { success: true, messageId: 'n=7' } }],
  [
    'GooglePublishNode',
    'writes the error of the service',
    { ...PUBLISH, topicTemplate: 'none' },
    { r: { success: false, ...service('Resource not found') } },
  ],
  [
    'GooglePublishNode',
    'fails without its credential',
    { ...PUBLISH, credentialNameTemplate: 'aws' },
    invalid('credentialNameTemplate'),
  ],
  ['SendgridEmailNode', 'sends a mail', MAIL, { r: { success: true } }],
  [
    'SendgridEmailNode',
    'writes the error of the service',
    { ...MAIL, toAddresses: ['ada'] },
    { r: service('Does not contain a valid address.') },
  ],
  ['SendgridEmailNode', 'fails without recipients', { ...MAIL, toAddresses: [] }, invalid('toAddresses')],
  ['SlackNode', 'posts a message', SLACK, { r: { success: true, sent: { text: 'hot' } } }],
  [
    'SlackNode',
    'writes the error of the service',
    { ...SLACK, urlPathTemplate: 'T0/none' },
    { r: { success: false, sent: { text: 'hot' }, error: 'no_service' } },
  ],
  [
    'SlackNode',
    'fails the run without a path for the result',
    { ...SLACK, urlPathTemplate: 'T0/none', resultPath: '' },
    { error: { name: 'ServiceError', message: 'no_service' } },
  ],
  [
    'TwilioSmsNode',
    'sends messages, and writes the error of each',
    { ...SMS, toNumbers: [number, '+0'] },
    { r: [{ success: true }, { error: true, message: "Invalid 'To' Phone Number" }] },
  ],
  ['TwilioSmsNode', 'fails without a sender', { ...SMS, fromNumber: '' }, invalid('fromNumber is required')],
];

describe('A workflow that uses another service', () => {
  it.each(CASES)('%s %s', async (type, _what, config, expected) => {
    expect(await ran(type, config, { n: 7 })).toEqual(expected);
  });

  it('AwsS3GetNode reads what AwsS3PutNode has stored', async () => {
    await ran('AwsS3PutNode', PUT, { n: 8 });
    expect(await ran('AwsS3GetNode', OBJECT, { n: 8 })).toEqual({
      r: { value: 'n=8', metadata: expect.objectContaining({ contentType: 'text/plain', contentLength: 3 }) },
    });
  });
});

describe('A workflow that signs in by SAML', () => {
  const parties = { spMetadataTemplate: '{{{data.sp}}}', idpMetadataTemplate: '{{{data.idp}}}' };
  const metadata = { sp: SERVICE, idp: PROVIDER };
  const verify = async (audience: string) => {
    const email = 'ada@example.com';
    const response = await signedResponse({ issuer: 'idp', audience, acsUrl: ACS, email });
    const config = { ...parties, samlResponseTemplate: '{{{data.response}}}' };
    return ran('SamlVerifyNode', config, { ...metadata, response });
  };

  it('SamlLoginRedirectNode writes the URL of the provider, or its error', async () => {
    expect(await ran('SamlLoginRedirectNode', parties, metadata)).toEqual({
      r: { redirectUrl: expect.stringMatching(/^https:\/\/idp\.example\.com\/sso\?tenant=7&SAMLRequest=/) },
    });
    expect(await ran('SamlLoginRedirectNode', parties, { ...metadata, idp: 'x' })).toEqual({
      r: { error: { type: 'SamlError', message: expect.any(String) } },
    });
    expect(await ran('SamlLoginRedirectNode', parties)).toEqual(invalid('spMetadataTemplate is required'));
  });

  it('SamlVerifyNode takes the output of its verdict', async () => {
    expect(await verify('portal')).toMatchObject({ output: 1, r: { nameID: 'ada@example.com' } });
    const refused = await verify('other');
    expect(refused).toEqual({ r: { error: { type: 'SamlError', message: expect.any(String) } } });
    const config = { ...parties, samlResponseTemplate: '{{{data.response}}}' };
    expect(await ran('SamlVerifyNode', config, metadata)).toEqual(
      invalid('samlResponseTemplate is required'),
    );
  });
});

describe('A workflow that issues certificates', () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const csr = key.export({ type: 'spki', format: 'pem' }).toString();
  const order = { csrTemplate: '{{{data.csr}}}', commonNameTemplate: 'Pump', credentialNameTemplate: 'ca' };

  it('CertificateCreateNode signs with a credential, and CertificateReadNode reads the certificate', async () => {
    const { certificate, ...shown } = (await ran('CertificateCreateNode', order, { csr })).r;
    const issued = new X509Certificate(certificate as string);
    expect(issued.verify(createPublicKey(pem('idp-cert')))).toBe(true);
    expect(shown).toMatchObject({ publicKey: csr, info: { commonName: 'Pump' } });
    const read = { crtTemplate: '{{{data.certificate}}}' };
    expect(await ran('CertificateReadNode', read, { certificate })).toEqual({ r: shown });
  });

  it('write their errors, and fail without a certificate or an authority', async () => {
    const message = expect.any(String) as string;
    expect(await ran('CertificateCreateNode', order, { csr: 'x' })).toEqual({ r: { error: { message } } });
    expect(await ran('CertificateCreateNode', { ...order, credentialNameTemplate: 'aws' }, { csr })).toEqual(
      invalid('of type certificateKeyPair'),
    );
    expect(await ran('CertificateReadNode', { crtTemplate: 'x' })).toEqual({ r: { error: { message } } });
    expect(await ran('CertificateReadNode', { crtTemplate: '' })).toEqual(invalid('crtTemplate is required'));
  });
});

describe('A workflow that deploys to gateways', () => {
  const deployments = new TestDeployments({ test, user, application }, 'edge');
  const deploy = (flowIdTemplate: string, deviceIdTemplate: string) =>
    ran('EdgeDeployNode', {
      flowsTemplate: [{ flowIdTemplate, flowVersionTemplate: '1' }],
      deviceIdTemplate,
    });

  it('EdgeDeployNode releases versions, and writes the errors of others', async () => {
    const { id: deviceId } = await deployments.device();
    const { id: flowId } = await deployments.flow(['1']);
    expect(await deploy(flowId, deviceId)).toEqual({ r: { success: true, scheduled: 1, errors: [] } });
    expect((await deployments.list()).body.items).toEqual([
      expect.objectContaining({ deviceId, flowId, desiredVersion: '1' }),
    ]);
    const unknown = newId();
    expect(await deploy(unknown, deviceId)).toEqual({
      r: {
        success: false,
        scheduled: 0,
        errors: [{ flowId: unknown, type: expect.any(String), message: expect.any(String) }],
      },
    });
    expect(await deploy('x', deviceId)).toEqual(
      invalid('flowsTemplate.0.flowId must be the ID of a workflow'),
    );
  });
});
