import { createHash, createHmac } from 'node:crypto';
import type { Request } from 'express';
import { equalSecrets } from '../../../../lib/crypto/hashes.js';
import { ApiError, NotFound, ValidationError } from '../../../../lib/errors/errors.js';
import type { Webhook } from '../webhook.resource.js';
import { demandFewFields } from './received-body.js';

/** What shows who sends a request. */
export interface Evidence {
  method: string;
  /** The address as the caller knows it. */
  url: string;
  headers: Request['headers'];
  query: Readonly<Record<string, unknown>>;
  body: Buffer;
}

/** What a service gets that only asks whether the webhook is there. */
export interface Handshake {
  status: number;
  body?: string;
}

type Verify = (evidence: Evidence, code: string) => Handshake | undefined;

const ALEXA_PATIENCE_MS = 150_000;

const refused = (message: string) => new ApiError(401, 'Unauthorized', message);
const hmac = (algorithm: string, key: string, data: string | Buffer, encoding: 'hex' | 'base64') =>
  createHmac(algorithm, key).update(data).digest(encoding);

function demandSignature(given: unknown, expected: string): void {
  if (typeof given !== 'string' || !equalSecrets(given, expected))
    throw refused('The signature of the request is missing or wrong');
}

const isCode = (given: unknown, code: string) => typeof given === 'string' && equalSecrets(given, code);

/** Facebook asks with GET, and signs the bytes of what it posts. */
const facebook: Verify = ({ method, query, headers, body }, code) => {
  if (method === 'GET') {
    const challenge = query['hub.challenge'];
    if (!isCode(query['hub.verify_token'], code) || typeof challenge !== 'string')
      throw refused('hub.verify_token is missing or wrong');
    return { status: 200, body: challenge };
  }
  const signature = headers['x-hub-signature-256'];
  if (signature !== undefined) demandSignature(signature, `sha256=${hmac('sha256', code, body, 'hex')}`);
  else demandSignature(headers['x-hub-signature'], `sha1=${hmac('sha1', code, body, 'hex')}`);
  return undefined;
};

/** Fitbit asks with a right and a wrong code, and wants 404 for the latter. */
const fitbit: Verify = ({ method, query, headers, body }, code) => {
  if (method === 'GET' && query.verify !== undefined) {
    if (!isCode(query.verify, code)) throw new NotFound('The verification code');
    return { status: 204 };
  }
  demandSignature(headers['x-fitbit-signature'], hmac('sha1', `${code}&`, body, 'base64'));
  return undefined;
};

/** Twilio signs the address, with the fields of a form sorted by name, or with the hash of another body in its query. */
const twilio: Verify = ({ url, headers, query, body }, code) => {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '');
  const { bodySHA256 } = query;
  if (!isForm && body.length > 0 && bodySHA256 !== createHash('sha256').update(body).digest('hex'))
    throw refused('bodySHA256 is missing or wrong');
  const form = isForm ? body.toString('utf8') : '';
  demandFewFields(form);
  const fields = [...new URLSearchParams(form)];
  const sorted = [...new Set(fields.map(([name, value]) => `${name}\0${value}`))].sort();
  const signed = url + sorted.map((field) => field.replace('\0', '')).join('');
  demandSignature(headers['x-twilio-signature'], hmac('sha1', code, signed, 'base64'));
  return undefined;
};

/**
 * Alexa names the skill and the time. The signature of its requests, by a certificate that would have to be fetched, is not
 * checked.
 */
const alexa: Verify = ({ body }, code) => {
  const { session, context, request } = parsed(body) as {
    session?: { application?: { applicationId?: unknown } };
    context?: { System?: { application?: { applicationId?: unknown } } };
    request?: { timestamp?: unknown };
  };
  const skill = session?.application?.applicationId ?? context?.System?.application?.applicationId;
  if (!isCode(skill, code)) throw new ValidationError('applicationId is missing or wrong');
  const age = Math.abs(Date.now() - Date.parse(String(request?.timestamp)));
  if (!(age <= ALEXA_PATIENCE_MS)) throw new ValidationError('request.timestamp is missing or too old');
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
 * Throws unless the request comes from the service that the webhook is for. Returns what is to be answered where the service
 * only asks whether the webhook is there. Without a code nothing can be verified, and everything is refused.
 */
export function verify(
  { verificationType, verificationCode }: Pick<Webhook, 'verificationType' | 'verificationCode'>,
  evidence: Evidence,
): Handshake | undefined {
  if (verificationType !== 'none' && !verificationCode)
    throw refused('The webhook has no verification code to check the request by');
  return SERVICES[verificationType](evidence, verificationCode ?? '');
}

/** Throws 401 unless the header names this user and password. */
export function demandBasicAuth(header: string | undefined, username: string, password: string): void {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header ?? '') ?? [];
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  if (!equalSecrets(given, `${username}:${password}`))
    throw new ApiError(401, 'Unauthorized', 'The user or the password is missing or wrong', {
      'WWW-Authenticate': 'Basic realm="webhook", charset="UTF-8"',
    });
}
