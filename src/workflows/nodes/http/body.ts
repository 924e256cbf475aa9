import { invalidSetting, RunFault } from '../../engine/run-error.js';
import type { RunPath } from '../../engine/node-run.js';
import { encoding } from '../encodings.js';
import type { HttpSettings } from './settings.js';

/** Body of a request, and the content type that it has unless a header says otherwise. */
export interface RequestBody {
  readonly content?: string | Buffer;
  readonly type?: string;
}

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Returns the body of a request. Methods other than POST, PUT and PATCH have none. */
export async function bodyOf(config: HttpSettings, path: RunPath): Promise<RequestBody> {
  if (!WITH_BODY.has(config.method)) return {};
  const { payload, run } = path;
  const { bodyTemplate, requestEncodingTemplate } = config;
  const charset = encoding(requestEncodingTemplate(payload.data), 'requestEncodingTemplate');
  switch (config.bodyType) {
    case 'none':
      return {};
    case 'string':
      return { content: Buffer.from(bodyTemplate.text(payload.data), charset) };
    case 'jsonTemplate':
      return { content: bodyTemplate.json(payload.data), type: 'application/json' };
    case 'urlencoded':
      return {
        content: new URLSearchParams(fieldsOf(config, payload.data)).toString(),
        type: 'application/x-www-form-urlencoded',
      };
    case 'multipart':
      return multipartOf(fieldsOf(config, payload.data));
    case 'url': {
      const url = bodyTemplate.text(payload.data);
      if (url === '') throw invalidSetting('bodyTemplate', 'is required');
      const { status, headers, body } = await run.ports.http.send(run, { url }, run.signal);
      if (status !== 200) throw new RunFault('RequestError', `${url} answered with the status ${status}`);
      return { content: body, type: headers['content-type'] };
    }
    case 'diskPath':
      throw invalidSetting('bodyType', 'diskPath is only available on edge devices');
  }
}

const fieldsOf = ({ bodyFields }: HttpSettings, data: unknown): [name: string, value: string][] =>
  bodyFields
    .map(({ keyTemplate, valueTemplate }): [string, string] => [keyTemplate(data), valueTemplate(data)])
    .filter(([name]) => name !== '');

async function multipartOf(fields: readonly [name: string, value: string][]): Promise<RequestBody> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const encoded = new Response(form);
  return {
    content: Buffer.from(await encoded.arrayBuffer()),
    type: encoded.headers.get('content-type') ?? undefined,
  };
}
