import type { OutboundResponse } from '../../../lib/http/safe-http.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { HttpCall } from '../../engine/ports.js';
import { RunFault } from '../../engine/run-error.js';
import { isTooDeep } from '../../language/json-depth.js';
import { encoding } from '../encodings.js';
import { authenticate } from './auth.js';
import { bodyOf } from './body.js';
import { settings, type HttpSettings } from './settings.js';

const MAX_SECONDS = 30;
/** Encodings of bytes rather than of text. */
const BYTES: ReadonlySet<string> = new Set(['base64', 'binary', 'hex']);

export const run: NodeRun<HttpSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const charset = encoding(config.encodingTemplate(payload.data), 'encodingTemplate');
    const { call, request } = await requestOf(config, path);
    const start = performance.now();
    try {
      const response = await run.ports.http.send(run, call, run.signal);
      config.responsePath(payload, {
        statusCode: response.status,
        headers: { ...response.headers },
        body: bodyFrom(response, charset),
        request,
        requestDuration: Math.round(performance.now() - start),
      });
    } catch (error) {
      if (config.errorBehavior === 'throw' || !(error instanceof RunFault)) throw error;
      config.errorPath(payload, { name: error.name, message: error.message, request });
    }
    return undefined;
  },
};

/** Request as the payload shows it: without its authentication. */
interface ShownRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function requestOf(
  config: HttpSettings,
  path: RunPath,
): Promise<{ call: HttpCall; request: ShownRequest }> {
  const { method, uriTemplate, disableRedirects } = config;
  const { data } = path.payload;
  const { url, headers: secrets, tls } = await authenticate(config, path);
  const { content, type } = await bodyOf(config, path);
  const headers: Record<string, string> = {
    ...(type !== undefined && { 'content-type': type }),
    // Lets the server recognize a request that is repeated after a crash.
    ...(method !== 'GET' && method !== 'HEAD' && { 'idempotency-key': path.effectId }),
    ...headersOf(config, data),
  };
  const call: HttpCall = {
    url,
    method,
    headers: { ...headers, ...secrets },
    secretHeaders: Object.keys(secrets),
    body: content,
    timeoutMs: secondsOf(config.timeoutTemplate(data)) * 1000,
    followsRedirects: !disableRedirects,
    tls: tlsOf(config, tls, data),
  };
  return { call, request: { method, uri: uriTemplate(data), headers } };
}

function headersOf({ headerInfo }: HttpSettings, data: unknown): Record<string, string> {
  const given = headerInfo.map(({ key, valueTemplate }) => [key.trim().toLowerCase(), valueTemplate(data)]);
  return Object.fromEntries(given.filter(([name]) => name !== '')) as Record<string, string>;
}

const secondsOf = (seconds: number): number => (seconds > 0 ? Math.min(seconds, MAX_SECONDS) : MAX_SECONDS);

/** Returns `undefined` without settings of its own, so that the request shares connections with others. */
function tlsOf(
  { caCertTemplate, disableSSLVerification }: HttpSettings,
  client: HttpCall['tls'],
  data: unknown,
): HttpCall['tls'] {
  const ca = caCertTemplate(data);
  const tls = {
    ...client,
    ...(ca !== '' && { ca }),
    ...(disableSSLVerification && { rejectUnauthorized: false }),
  };
  return Object.keys(tls).length === 0 ? undefined : tls;
}

/** Returns the value of a body that is JSON, whatever its type, and else its text. */
function bodyFrom({ body }: OutboundResponse, charset: BufferEncoding): unknown {
  const text = body.toString(charset);
  if (BYTES.has(charset)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? text : value;
  } catch {
    return text;
  }
}
