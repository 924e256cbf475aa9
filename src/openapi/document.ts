import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { ERRORS } from './error-responses.js';
import { documentJob, JOB_LINKS, JOB_LOCATION } from './accepted-jobs.js';
import { ID_EXAMPLE, ID_PATTERN } from '../platform/fields/fields.js';
import { JOB_ID_PATTERN } from '../platform/jobs/job-log-id.js';
import { ErrorBody, ValidationErrorsBody } from '../platform/fields/shared.schemas.js';
import { ROLE_EXTENSION } from '../platform/operations/operation.js';
import { documentTags } from './tags.js';
import { DESCRIPTION } from './texts.js';

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

/**
 * Rate limit headers of responses to requests with a token: those of the limit closer to exhaustion, token or owner.
 */
const RATE_LIMITS = {
  'RateLimit-Limit': {
    description: 'Maximum number of requests in a window of ten seconds.',
    schema: { type: 'integer' },
    example: 1000,
  },
  'RateLimit-Remaining': {
    description: 'Requests remaining in the current window.',
    schema: { type: 'integer', minimum: 0 },
    example: 987,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the next window starts.',
    schema: { type: 'integer', minimum: 0 },
    example: 7,
  },
};
const COMPONENTS = '#/components/';
const COMMON_STATUSES = [400, 429, 500, 503];
const REQUEST_ID = {
  description: 'ID of the request, also used in the server log.',
  schema: { type: 'string' },
  example: 'V1StGXR8_Z5jdHi6B-myT',
};

/**
 * Builds the OpenAPI document of the application. Adds to the output of Nest: error responses, IDs in paths, named
 * components for schemas with a title, and bodies that reject unknown properties.
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
        description: 'A session token from `POST /auth/user`, or an API token.',
      },
      'bearer',
    )
    .build();
  const created = SwaggerModule.createDocument(app, config, {
    autoTagControllers: false,
    extraModels: [ErrorBody, ValidationErrorsBody],
    operationIdFactory: (controller, method) => `${controller}_${method}`,
  });
  // Copied, because Nest's document shares objects with the decorator metadata, which the next document is built from.
  const document = JSON.parse(JSON.stringify(created)) as OpenAPIObject;
  removeAliases(document);
  const operations = operationsOf(document);
  documentTags(
    document,
    operations.map(({ operation }) => operation),
  );
  for (const { path, operation } of operations) {
    documentPathParameters(path, operation);
    documentBody(operation);
    documentErrors(operation);
    documentSuccess(operation);
    documentJob(path, operation.responses);
    documentAccess(path, operation);
  }
  const schemas = (document.components!.schemas ??= {}) as Record<string, Json>;
  hoistTitled(document as unknown as Json, schemas);
  for (const schema of Object.values(schemas)) documentOptionalProperties(schema);
  document.components!.responses = sharedErrors() as never;
  document.components!.headers = { 'X-Request-Id': REQUEST_ID, ...RATE_LIMITS, ...JOB_LOCATION };
  document.components!.links = JOB_LINKS;
  for (const { operation } of operations) closeObjects(operation.requestBody, schemas);
  describeDefaults(schemas);
  prune(document);
  document.components!.schemas = Object.fromEntries(
    Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  document.paths = Object.fromEntries(Object.entries(document.paths).sort(([a], [b]) => (a < b ? -1 : 1)));
  return document;
}

/** Keeps only the first path of each handler; the other paths are aliases for compatible clients. */
function removeAliases(document: OpenAPIObject): void {
  const known = new Set<string>();
  for (const { path, method, operation } of operationsOf(document)) {
    const item = document.paths[path] as Record<string, unknown>;
    if (known.has(operation.operationId)) delete item[method];
    if (Object.keys(item).length === 0) delete document.paths[path];
    known.add(operation.operationId);
  }
}

/** Returns all operations of a document with their paths and methods. */
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

/** Examples of path parameters that are not IDs. */
const NAME_EXAMPLES: Readonly<Record<string, string>> = {
  bundleVersion: '1781323200000',
  experienceVersionIdOrName: 'v1.0.0',
  name: 'pressure',
};

/** Documents path parameters that the handler does not declare. All IDs get the same schema. */
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
      schema: { type: 'string', pattern: name === 'jobId' ? JOB_ID_PATTERN : ID_PATTERN },
      example: ID_EXAMPLE,
    };
  });
  // For JSON parameters, Nest also adds a schema derived from the property's class `Object`.
  for (const parameter of others) if (parameter.content) delete parameter.schema;
  operation.parameters = [...inPath, ...others];
}

/** Documents arrays that are returned only on request as additional members, with their names and contents. */
function documentOptionalProperties(schema: Json): void {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const lists = Object.entries(properties).filter(([, property]) => property['x-on-request']);
  if (lists.length === 0) return;
  const told = lists.map(([name, { description }]) => `\`${name}\`, ${description as string}`);
  schema.additionalProperties = {
    type: 'array',
    items: { anyOf: lists.map(([, { items }]) => items) },
    description: `Returned only on request: ${told.join('; ')}.`,
  };
  for (const [name] of lists) delete properties[name];
}

/** Nest supports only named examples of bodies; converts a single one to `example`. */
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
  const statuses = [
    ...COMMON_STATUSES,
    ...(open ? [] : [401, 403]),
    ...(operation.requestBody ? [413, 415] : []),
  ];
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

/** Declares the response: a named schema, a stream, a file, or nothing. */
function documentSuccess({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) >= 400 || response.description) continue;
    const [type, { schema = {} } = {}] =
      Object.entries((response.content ?? {}) as Record<string, { schema?: Json }>)[0] ?? [];
    const named = (schema.title ?? (schema.$ref as string | undefined)?.split('/').pop()) as
      string | undefined;
    const returned = named ? `\`${named}\`` : type && `\`${type}\``;
    response.description = [
      `${SUCCESS_DESCRIPTIONS[status] ?? 'The request succeeded'}.`,
      returned && `Returns ${returned}.`,
    ]
      .filter(Boolean)
      .join(' ');
  }
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  201: 'The resource was created',
  202: 'The request was accepted and continues as a job',
  204: 'The request succeeded and has no response body',
};

/** Place of the role, by the deciding path parameter. As in `placeId`, the first one in the path counts. */
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

/** Returns an error that the operation describes itself; the description becomes the message of the example. */
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

/** Moves schemas with a title into the components and replaces them with references. */
function hoistTitled(node: Json, schemas: Record<string, Json>): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const child = value as Json;
    hoistTitled(child, schemas);
    // Nest drops `type` next to `allOf`, but OpenAPI 3.0 ignores `nullable` without `type`.
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
 * Moves the defaults of properties into their descriptions. Many generators treat a property with a default as always
 * present, and therefore as required in request bodies.
 */
function describeDefaults(node: Json): void {
  for (const value of Object.values(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const schema = value as Json;
    describeDefaults(schema);
    if (schema.default === undefined || typeof schema.type !== 'string') continue;
    const { default: usual, description = '' } = schema as { default: unknown; description?: string };
    const shown = typeof usual === 'string' ? usual : JSON.stringify(usual);
    schema.description = `${description} Default: \`${shown}\`.`.trimStart();
    schema.example ??= usual;
    delete schema.default;
  }
}

/**
 * Removes components that no operation refers to. Any matching string counts as a reference, including those in
 * mappings.
 */
export function prune(document: OpenAPIObject): void {
  const { securitySchemes, ...others } = document.components!;
  const parts = others as Record<string, Record<string, unknown>>;
  const reached = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node === 'object' && node !== null) Object.values(node).forEach(walk);
    if (typeof node !== 'string' || !node.startsWith(COMPONENTS) || reached.has(node)) return;
    reached.add(node);
    const [kind = '', name = ''] = node.slice(COMPONENTS.length).split('/');
    walk(parts[kind]?.[name]);
  };
  walk({ ...document, components: { securitySchemes } });
  for (const [kind, named] of Object.entries(parts)) {
    for (const name of Object.keys(named)) {
      if (!reached.has(`${COMPONENTS}${kind}/${name}`)) delete named[name];
    }
  }
}

/** Makes all objects that are reachable from a request body reject unknown properties. */
function closeObjects(node: unknown, schemas: Record<string, Json>, seen = new Set<unknown>()): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const schema = node as Json;
  if (schema.type === 'object' && schema.properties) schema.additionalProperties ??= false;
  if (typeof schema.$ref === 'string') closeObjects(schemas[schema.$ref.split('/').pop()!], schemas, seen);
  for (const child of Object.values(schema)) closeObjects(child, schemas, seen);
}
