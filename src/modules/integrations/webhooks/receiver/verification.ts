import { createHash, createHmac } from 'node:crypto';
import type { Request } from 'express';
import { equalSecrets } from '../../../../lib/crypto/hashes.js';
import { ApiError, NotFound, ValidationError } from '../../../../lib/errors/errors.js';
import type { Webhook } from '../webhook.resource.js';
import { assertFieldCount } from './received-body.js';

/** Parts of a request that identify its sender. */
export interface Evidence {
  method: string;
  /** URL as the caller knows it. */
  url: string;
  headers: Request['headers'];
  query: Readonly<Record<string, unknown>>;
  body: Buffer;
}

/** Response to a service that only verifies the existence of the webhook. */
export interface Handshake {
  status: number;
  body?: string;
}

type Verify = (evidence: Evidence, code: string) => Handshake | undefined;

const ALEXA_TOLERANCE_MS = 150_000;

const rejection = (message: string) => new ApiError(401, 'Unauthorized', message);
const hmac = (algorithm: string, key: string, data: string | Buffer, encoding: 'hex' | 'base64') =>
  createHmac(algorithm, key).update(data).digest(encoding);

function assertSignature(given: unknown, expected: string): void {
  if (typeof given !== 'string' || !equalSecrets(given, expected))
    throw rejection('The signature of the request is missing or invalid');
}

const isCode = (given: unknown, code: string) => typeof given === 'string' && equalSecrets(given, code);

/** Facebook verifies the webhook with GET, and signs the bytes of its POST requests. */
const facebook: Verify = ({ method, query, headers, body }, code) => {
  if (method === 'GET') {
    const challenge = query['hub.challenge'];
    if (!isCode(query['hub.verify_token'], code) || typeof challenge !== 'string')
      throw rejection('hub.verify_token is missing or invalid');
    return { status: 200, body: challenge };
  }
  const signature = headers['x-hub-signature-256'];
  if (signature !== undefined) assertSignature(signature, `sha256=${hmac('sha256', code, body, 'hex')}`);
  else assertSignature(headers['x-hub-signature'], `sha1=${hmac('sha1', code, body, 'hex')}`);
  return undefined;
};

/** Fitbit sends both a valid and an invalid code, and expects `404` for the latter. */
const fitbit: Verify = ({ method, query, headers, body }, code) => {
  if (method === 'GET' && query.verify !== undefined) {
    if (!isCode(query.verify, code)) throw new NotFound('The verification code');
    return { status: 204 };
  }
  assertSignature(headers['x-fitbit-signature'], hmac('sha1', `${code}&`, body, 'base64'));
  return undefined;
};

/** Twilio signs the URL with the sorted fields of a form; other bodies are signed by their hash in the query. */
const twilio: Verify = ({ url, headers, query, body }, code) => {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '');
  const { bodySHA256 } = query;
  if (!isForm && body.length > 0 && bodySHA256 !== createHash('sha256').update(body).digest('hex'))
    throw rejection('bodySHA256 is missing or invalid');
  const form = isForm ? body.toString('utf8') : '';
  assertFieldCount(form);
  const fields = [...new URLSearchParams(form)];
  const sorted = [...new Set(fields.map(([name, value]) => `${name}\0${value}`))].sort();
  const signed = url + sorted.map((field) => field.replace('\0', '')).join('');
  assertSignature(headers['x-twilio-signature'], hmac('sha1', code, signed, 'base64'));
  return undefined;
};

/**
 * Checks the skill and the time of an Alexa request. Its signature is not verified, because this would require fetching
 * a certificate.
 */
const alexa: Verify = ({ body }, code) => {
  const { session, context, request } = parsed(body) as {
    session?: { application?: { applicationId?: unknown } };
    context?: { System?: { application?: { applicationId?: unknown } } };
    request?: { timestamp?: unknown };
  };
  const skill = session?.application?.applicationId ?? context?.System?.application?.applicationId;
  if (!isCode(skill, code)) throw new ValidationError('applicationId is missing or invalid');
  const age = Math.abs(Date.now() - Date.parse(String(request?.timestamp)));
  if (!(age <= ALEXA_TOLERANCE_MS)) throw new ValidationError('request.timestamp is missing or too old');
  return undefined;
};

function parsed(body: Buffer): object {
  try {
    return (JSON.parse(body.toString('utf8')) as object | null) ?? {};
  } catch {
    throw new ValidationError('The body is not valid JSON');
  }
}

const SERVICES: Readonly<Record<Webhook['verificationType'], Verify>> = {
  none: () => undefined,
  facebook,
  fitbit,
  twilio,
  alexa,
};

/**
 * Throws if the request does not come from the service of the webhook. Returns a response if the service only verifies
 * the existence of the webhook. Without a code, every request is rejected.
 */
export function verify(
  { verificationType, verificationCode }: Pick<Webhook, 'verificationType' | 'verificationCode'>,
  evidence: Evidence,
): Handshake | undefined {
  if (verificationType !== 'none' && !verificationCode)
    throw rejection('The webhook has no verification code to verify the request with');
  return SERVICES[verificationType](evidence, verificationCode ?? '');
}

/** Throws `401` if the header does not contain this user and password. */
export function assertBasicAuth(header: string | undefined, username: string, password: string): void {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header ?? '') ?? [];
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  if (!equalSecrets(given, `${username}:${password}`))
    throw new ApiError(401, 'Unauthorized', 'The username or password is missing or invalid', {
      'WWW-Authenticate': 'Basic realm="webhook", charset="UTF-8"',
    });
}
