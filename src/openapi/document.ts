import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { ID_EXAMPLE, ID_PATTERN } from '../platform/fields/fields.js';
import { ErrorBody, ValidationErrorsBody } from '../platform/fields/shared.schemas.js';
import { ROLE_EXTENSION } from '../platform/operations/operation.js';
import { DESCRIPTION, TAGS } from './texts.js';

type Json = Record<string, unknown>;
type Operation = Json & {
  operationId: string;
  tags: string[];
  description?: string;
  parameters?: Json[];
  requestBody?: { content: Record<string, Json> };
  responses: Record<string, Json>;
  security?: unknown[];
};

const packageFile = new URL(
  import.meta.url.includes('/dist/') ? '../../../package.json' : '../../package.json',
  import.meta.url,
);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

/** The error answers that operations share, as components. */
const ERRORS: Record<string, { name: string; description: string; example: Json; headers?: Json }> = {
  400: {
    name: 'BadRequest',
    description: 'The request breaks a rule; the message names the first field at fault.',
    example: { type: 'Validation', message: 'application.name is required' },
  },
  401: {
    name: 'Unauthorized',
    description: 'The token or the credentials are missing, wrong, expired or revoked.',
    example: { type: 'Unauthorized', message: 'Invalid access token' },
  },
  403: {
    name: 'Forbidden',
    description: "The token's scopes or the caller's role do not allow it.",
    example: { type: 'Forbidden', message: 'Access is forbidden' },
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist, or the caller may not know that it does.',
    example: { type: 'NotFound', message: 'Application was not found' },
  },
  408: {
    name: 'Timeout',
    description: 'The request took too long to come.',
    example: { type: 'Timeout', message: 'The upload came too slowly' },
  },
  409: {
    name: 'Conflict',
    description: 'The state of something that the request meets forbids it.',
    example: { type: 'Conflict', message: 'The job has already ended' },
  },
  410: {
    name: 'Gone',
    description: 'It was there, and it is too late for the request.',
    example: { type: 'Gone', message: 'The invitation has expired' },
  },
  413: {
    name: 'PayloadTooLarge',
    description:
      'The body is larger than 1 MiB (128 KiB without a token), has more than 200,000 values or is nested deeper than 64.',
    example: { type: 'PayloadTooLarge', message: 'Request entity too large' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON.',
    example: {
      type: 'UnsupportedMediaType',
      message: 'Request bodies are JSON: send Content-Type: application/json',
    },
  },
  422: {
    name: 'UnprocessableResources',
    description: 'Too much was wrong with the resources within.',
    example: { type: 'Validation', message: 'Too many validation errors occurred.', validationErrors: [] },
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests; try again after the time that `Retry-After` says.',
    example: { type: 'TooManyRequests', message: 'Too many requests' },
    headers: {
      'Retry-After': {
        description: 'Seconds to wait.',
        schema: { type: 'integer', minimum: 1 },
        example: 30,
      },
    },
  },
  500: {
    name: 'ServerError',
    description: 'The server failed; its log has more under the request id.',
    example: { type: 'Error', message: 'Internal server error (request V1StGXR8_Z5jdHi6B-myT)' },
  },
  503: {
    name: 'Unavailable',
    description: 'Something that the server needs does not answer; try again.',
    example: { type: 'Unavailable', message: 'The database is busy, try again' },
  },
  507: {
    name: 'InsufficientStorage',
    description: 'The server has no room to store it.',
    example: { type: 'InsufficientStorage', message: 'The server has no room for this file' },
  },
};
/** What every answer to a token says of the limit that is nearer, the token's or its owner's. */
const RATE_LIMITS = {
  'RateLimit-Limit': {
    description: 'Requests that may be sent in a window of ten seconds.',
    schema: { type: 'integer' },
    example: 1000,
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left of it.',
    schema: { type: 'integer', minimum: 0 },
    example: 987,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the next window begins.',
    schema: { type: 'integer', minimum: 0 },
    example: 7,
  },
};
const COMPONENTS = '#/components/';
const ALWAYS = [400, 429, 500, 503];
const REQUEST_ID = {
  description: 'The id of the request, in the log too.',
  schema: { type: 'string' },
  example: 'V1StGXR8_Z5jdHi6B-myT',
};

/**
 * The OpenAPI document of the application. What Nest's module emits is completed with what it cannot know: error
 * answers, ids in paths, named components for schemas with a title, and bodies that refuse unknown properties.
 */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Fieldwright API')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .setOpenAPIVersion('3.0.3')
    .addServer('/', 'This platform')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'A token of `POST /auth/user`, or an API token.',
      },
      'bearer',
    )
    .build();
  const created = SwaggerModule.createDocument(app, config, {
    autoTagControllers: false,
    extraModels: [ErrorBody, ValidationErrorsBody],
    operationIdFactory: (controller, method) => `${controller}_${method}`,
  });
  // What Nest made shares its parts with the decorators' own notes, of which the next document is made.
  const document = JSON.parse(JSON.stringify(created)) as OpenAPIObject;
  leaveOutAliases(document);
  const operations = operationsOf(document);
  document.tags = TAGS.filter(({ name }) =>
    operations.some(({ operation }) => operation.tags.includes(name)),
  );
  for (const { path, operation } of operations) {
    documentPathParameters(path, operation);
    documentBody(operation);
    documentErrors(operation);
    documentSuccess(operation);
    documentAccess(path, operation);
  }
  const schemas = (document.components!.schemas ??= {}) as Record<string, Json>;
  hoistTitled(document as unknown as Json, schemas);
  for (const schema of Object.values(schemas)) documentOnRequest(schema);
  document.components!.responses = sharedErrors() as never;
  document.components!.headers = { 'X-Request-Id': REQUEST_ID, ...RATE_LIMITS };
  for (const { operation } of operations) closeObjects(operation.requestBody, schemas);
  tellDefaults(schemas);
  prune(document);
  document.components!.schemas = Object.fromEntries(
    Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  document.paths = Object.fromEntries(Object.entries(document.paths).sort(([a], [b]) => (a < b ? -1 : 1)));
  return document;
}

/** Of the paths of one handler the first is documented; the others are for clients that were made for them. */
function leaveOutAliases(document: OpenAPIObject): void {
  const known = new Set<string>();
  for (const { path, method, operation } of operationsOf(document)) {
    const item = document.paths[path] as Record<string, unknown>;
    if (known.has(operation.operationId)) delete item[method];
    if (Object.keys(item).length === 0) delete document.paths[path];
    known.add(operation.operationId);
  }
}

/** Every operation of a document with its path and verb. */
export function operationsOf(
  document: OpenAPIObject,
): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}

/** What stands in paths and is no id. */
const NAME_EXAMPLES: Readonly<Record<string, string>> = {
  bundleVersion: '1781323200000',
  experienceVersionIdOrName: 'v1.0.0',
  name: 'pressure',
};

/** Path parameters that no handler asks for by itself are documented from the path; every id looks the same. */
function documentPathParameters(path: string, operation: Operation): void {
  const others = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'path');
  const inPath = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, collection = '', name = '']) => {
    const words = (text: string) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (!name.endsWith('Id')) {
      const description = `${words(name).replace(/^./, (letter) => letter.toUpperCase())}, as listed by the ${collection}.`;
      return {
        name,
        in: 'path',
        required: true,
        description,
        schema: { type: 'string' },
        example: NAME_EXAMPLES[name],
      };
    }
    const what = words(name.replace(/Id$/, ''));
    return {
      name,
      in: 'path',
      required: true,
      description: `ID of the ${what}.`,
      schema: { type: 'string', pattern: ID_PATTERN },
      example: ID_EXAMPLE,
    };
  });
  // Of a parameter that is JSON, Nest takes the class `Object` of its property for a schema of its own.
  for (const parameter of others) if (parameter.content) delete parameter.schema;
  operation.parameters = [...inPath, ...others];
}

/** Lists that are in an answer on request alone are additional members: what they are and how they are named is told. */
function documentOnRequest(schema: Json): void {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const lists = Object.entries(properties).filter(([, property]) => property['x-on-request']);
  if (lists.length === 0) return;
  const told = lists.map(([name, { description }]) => `\`${name}\`, ${description as string}`);
  schema.additionalProperties = {
    type: 'array',
    items: { anyOf: lists.map(([, { items }]) => items) },
    description: `Where they are asked for: ${told.join('; ')}.`,
  };
  for (const [name] of lists) delete properties[name];
}

/** Nest knows examples of bodies by name only; one alone needs none. */
function documentBody({ requestBody }: Operation): void {
  const contents = (requestBody?.content ?? {}) as Record<
    string,
    { example?: unknown; examples?: { usual: { value: unknown } } }
  >;
  for (const body of Object.values(contents)) {
    if (!body.examples) continue;
    body.example = body.examples.usual.value;
    delete body.examples;
  }
}

function documentErrors(operation: Operation): void {
  const open = Array.isArray(operation.security) && operation.security.length === 0;
  const statuses = [...ALWAYS, ...(open ? [] : [401, 403]), ...(operation.requestBody ? [413, 415] : [])];
  for (const status of [
    ...statuses,
    ...Object.keys(operation.responses)
      .map(Number)
      .filter((code) => code >= 400),
  ]) {
    operation.responses[status] ??= {};
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < 400)
      response.headers = headersNamed('X-Request-Id', ...(open ? [] : Object.keys(RATE_LIMITS)));
    else if (response.description)
      operation.responses[status] = errorResponse(status, ownError(status, response));
    else operation.responses[status] = { $ref: `#/components/responses/${ERRORS[status]!.name}` };
  }
}

/** Responses say what they return: a named schema, a stream, a file, or nothing. */
function documentSuccess({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) >= 400 || response.description) continue;
    const [type, { schema = {} } = {}] =
      Object.entries((response.content ?? {}) as Record<string, { schema?: Json }>)[0] ?? [];
    const named = (schema.title ?? (schema.$ref as string | undefined)?.split('/').pop()) as
      string | undefined;
    const returned = named ? `\`${named}\`` : type && `\`${type}\``;
    response.description = [
      `${SUCCESSES[status] ?? 'The request succeeded'}.`,
      returned && `Returns ${returned}.`,
    ]
      .filter(Boolean)
      .join(' ');
  }
}

const SUCCESSES: Readonly<Record<string, string>> = {
  201: 'The resource was created',
  202: 'The request was accepted and continues as a job',
  204: 'The request succeeded and has no response body',
};

/** Where a role is held, by the path parameter that decides; as in `placeId`, the first one in the path counts. */
const ROLE_PLACES: readonly (readonly [string, string])[] = [
  ['{applicationId}', ' on the application'],
  ['{instanceId}', ' in the instance'],
  ['{orgId}', ' in the organization'],
];

/** The only place that tells role and scopes of an operation; descriptions do not repeat it. */
function documentAccess(path: string, operation: Operation): void {
  const role = operation[ROLE_EXTENSION] as string | undefined;
  const scopes = operation['x-scopes'] as string[];
  delete operation[ROLE_EXTENSION];
  if (scopes.length === 0) return;
  const [, place = ''] = ROLE_PLACES.find(([parameter]) => path.includes(parameter)) ?? [];
  const listed = scopes.map((scope) => `\`${scope}\``).join(', ');
  operation.description = [
    operation.description,
    [role && `Requires the \`${role}\` role${place}.`, `Accepts tokens with any of the scopes ${listed}.`]
      .filter(Boolean)
      .join(' '),
  ].join('\n\n');
}

function sharedErrors(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, error]) => [error.name, errorResponse(status, error)]),
  );
}

/** An error that an operation describes in words of its own, which are then the message of its example. */
function ownError(status: string, { description, content }: Json): { description: string; example: Json } {
  const words = description as string;
  const { example } = (content as Record<string, { example?: Json }> | undefined)?.['application/json'] ?? {};
  return {
    description: words,
    example: example ?? { ...ERRORS[status]!.example, message: words.replace(/\.$/, '') },
  };
}

function errorResponse(
  status: string,
  { description, example }: { description: string; example: Json },
): Json {
  const { headers } = ERRORS[status]!;
  const schema = { $ref: `#/components/schemas/${status === '422' ? 'ValidationErrors' : 'Error'}` };
  return {
    description,
    headers: { ...headersNamed('X-Request-Id'), ...headers },
    content: { 'application/json': { schema, example } },
  };
}

const headersNamed = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Moves every schema with a title into the components and leaves a reference in its place. */
function hoistTitled(node: Json, schemas: Record<string, Json>): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const child = value as Json;
    hoistTitled(child, schemas);
    // Nest drops the type beside `allOf`, and without one `nullable` means nothing to readers of OpenAPI 3.0.
    if (child.nullable === true && child.allOf) child.type = 'object';
    const isSchema = typeof child.title === 'string' && ('type' in child || 'oneOf' in child);
    if (!isSchema) continue;
    const { title, ...schema } = child as Json & { title: string };
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas are named ${title}`);
    schemas[title] = schema;
    node[key] = { $ref: `#/components/schemas/${title}` };
  }
}

/**
 * Moves the defaults of properties into their descriptions: many generators take a property that has a default for one
 * that is always there, and so one that must be given in a body.
 */
function tellDefaults(node: Json): void {
  for (const value of Object.values(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const schema = value as Json;
    tellDefaults(schema);
    if (schema.default === undefined || typeof schema.type !== 'string') continue;
    const { default: usual, description = '' } = schema as { default: unknown; description?: string };
    const shown = typeof usual === 'string' ? usual : JSON.stringify(usual);
    schema.description = `${description} Default: \`${shown}\`.`.trimStart();
    schema.example ??= usual;
    delete schema.default;
  }
}

/** Takes out shared parts that no operation reaches. One walk: text is a reference wherever it stands, also in a mapping. */
export function prune(document: OpenAPIObject): void {
  const { responses = {}, schemas = {}, ...others } = document.components!;
  const parts: Record<string, Record<string, unknown>> = { responses, schemas };
  const reached = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node === 'object' && node !== null) Object.values(node).forEach(walk);
    if (typeof node !== 'string' || !node.startsWith(COMPONENTS) || reached.has(node)) return;
    reached.add(node);
    const [kind = '', name = ''] = node.slice(COMPONENTS.length).split('/');
    walk(parts[kind]?.[name]);
  };
  walk({ ...document, components: others });
  for (const [kind, named] of Object.entries(parts)) {
    for (const name of Object.keys(named)) {
      if (!reached.has(`${COMPONENTS}${kind}/${name}`)) delete named[name];
    }
  }
}

/** Objects that a body reaches refuse unknown properties. */
function closeObjects(node: unknown, schemas: Record<string, Json>, seen = new Set<unknown>()): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const schema = node as Json;
  if (schema.type === 'object' && schema.properties) schema.additionalProperties ??= false;
  if (typeof schema.$ref === 'string') closeObjects(schemas[schema.$ref.split('/').pop()!], schemas, seen);
  for (const child of Object.values(schema)) closeObjects(child, schemas, seen);
}
