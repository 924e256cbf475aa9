import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
  type ApiResponseNoStatusOptions,
} from '@nestjs/swagger';
import type { JsonSchema } from '../fields/fields.js';
import { bodySizeOf, formatBytes, tooLarge } from '../server/body-sizes.js';

/** A body or response: a documented class, or a JSON Schema whose title is its name. */
export type Shape = Type | JsonSchema;

/** Roles on an application or organization, in ascending order of permissions. */
export const ROLES = ['none', 'view', 'collaborate', 'edit', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const ROLE = {
  title: 'Role',
  type: 'string',
  enum: ROLES,
  description: 'Permissions of a member, in ascending order.',
} as const satisfies JsonSchema;

/** A response with a WebAssembly module. */
export const WASM_MODULE: JsonSchema = {
  type: 'string',
  format: 'binary',
  description: 'A WebAssembly module.',
};

/** Media types of responses other than JSON. */
const MEDIA_TYPES: ReadonlyMap<Shape, string> = new Map([[WASM_MODULE, 'application/wasm']]);

export interface OperationOptions {
  /** One line for lists of operations. */
  summary: string;
  /** Behavior, defaults and limits, in Markdown. */
  description: string;
  /** Accepted group scopes, or `public` for an operation without a token. */
  scopes: readonly string[] | 'public';
  /** Name of another operation whose scope is required instead (`application.patch` for globals). */
  scopedAs?: string;
  /**
   * Role that the caller needs on the application, organization or instance in the path. Required if the path has one.
   */
  role?: Role;
  /**
   * The role that the handler's own statement checks in its WHERE, so that the guard loads nothing. For the few hot
   * operations on the resource that carries the rights itself.
   */
  selfGuarded?: Role;
  /** The body: its name in error messages, and its class. */
  body?: Readonly<Record<string, Shape>>;
  /** Whether the body can be omitted. */
  optionalBody?: boolean;
  /** Whether the body contains many resources, so that its limit is 10 MiB instead of 1 MiB. */
  largeBody?: boolean;
  /** Form field of the single file that the operation accepts; the handler reads it. */
  file?: string;
  /** Class of a form with several fields; the handler reads it. */
  form?: Type;
  /** Maximum size in bytes of the file in a form. */
  maxFileBytes?: number;
  /** A minimal body that works unchanged. */
  example?: unknown;
  /** Success statuses with their responses; the first is the usual one. `null` means an empty response. */
  returns: Readonly<Record<number, Shape | null>>;
  /**
   * Server-sent events that the operation streams, by name, with the shape of their data. If the first of `returns` has
   * a shape, the client selects the stream with `Accept`.
   */
  events?: Readonly<Record<string, Shape>>;
  /** Schema of the request to the `callbackUrl` of the body or query, as returned by `callbackSchema`. */
  callback?: JsonSchema;
  /** Resource named by `404`: `application` results in `Application was not found`. */
  missing?: string;
  /** Additional error statuses with their meaning, besides those that all operations have. */
  errors?: Readonly<Record<number, string>>;
}

/** Metadata of an operation for guards, the adapter and the document. */
export interface OperationMeta extends OperationOptions {
  /** Resource and action, such as `application.get`. */
  id: string;
  /** All accepted scopes; empty for public operations. */
  accepts: ReadonlySet<string>;
  /** Name of the body in messages. */
  bodyName?: string;
  /** Whether the operation belongs to a controller with `@ChangesSites()`. */
  changesSites?: true;
}

export const OPERATION = Symbol('operation');
/** Carries the role to the document, which turns it into a sentence of the description. */
export const ROLE_EXTENSION = 'x-role';
/** Carries the schema of the callback to the document. */
export const CALLBACK_EXTENSION = 'x-callback';
const ID = /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/;

/**
 * Declares a handler as the operation `id` (`<resource>.<action>`): the scopes that the guard requires, the entry in
 * the document, and the status and classes of its responses. An inconsistent declaration throws at load time.
 */
export function Operation(id: string, facts: OperationOptions): MethodDecorator {
  const [resource = '', action = ''] = id.split('.');
  const statuses = Object.keys(facts.returns).map(Number);
  const status = statuses[0];
  const role = facts.role ?? facts.selfGuarded;
  if (!ID.test(id)) throw new Error(`${id}: an operation is named <resource>.<action>`);
  if (status === undefined) throw new Error(`${id}: no success status is declared`);
  const own = facts.scopedAs ?? id;
  if (facts.scopes.length === 0) throw new Error(`${id}: no scope is declared`);
  if (facts.returns[204]) throw new Error(`${id}: 204 carries no body`);
  if (facts.scopes === 'public' && role)
    throw new Error(`${id}: a public operation has no caller whose role can be checked`);
  if (facts.role && facts.selfGuarded) throw new Error(`${id}: its own statement checks the role`);
  const bodies = Object.entries(facts.body ?? {});
  if (facts.optionalBody && bodies.length === 0) throw new Error(`${id}: there is no body to omit`);
  if (bodies.length > 1) throw new Error(`${id}: an operation takes one body`);
  if ((facts.file ?? facts.form) && !facts.maxFileBytes)
    throw new Error(`${id}: its file has no maximum size`);
  const wider = facts.scopes === 'public' ? [] : [...facts.scopes, `${resource}.*`];
  const accepts = facts.scopes === 'public' ? [] : [...wider, own];
  const meta: OperationMeta = { ...facts, id, accepts: new Set(accepts), bodyName: bodies[0]?.[0] };
  return applyDecorators(
    SetMetadata(OPERATION, meta),
    HttpCode(status),
    ApiOperation({
      operationId: `${resource}_${action}`,
      tags: [resource],
      summary: facts.summary,
      description: facts.description,
      ...(facts.scopes === 'public' ? { security: [] } : { security: [{ bearer: [] }] }),
    }),
    ApiExtension('x-scopes', accepts),
    ...(role ? [ApiExtension(ROLE_EXTENSION, role)] : []),
    ...(facts.callback ? [ApiExtension(CALLBACK_EXTENSION, facts.callback)] : []),
    ...bodies.map(([name, shape]) =>
      ApiBody({
        ...contentOf(shape),
        required: !facts.optionalBody,
        description: `JSON body. Error messages refer to it as \`${name}\`.`,
        ...(facts.example === undefined ? {} : { examples: { usual: { value: facts.example } } }),
      }),
    ),
    ...(bodies.length > 0 ? bodySizeResponse(facts) : []),
    ...(facts.file ? [ApiFileBody(facts.file)] : []),
    ...(facts.form ? [ApiFormBody(facts.form, facts.example)] : []),
    ...(facts.maxFileBytes ? uploadResponses(facts.maxFileBytes) : []),
    ...statuses.map((code) =>
      ApiResponse({
        status: code,
        ...(facts.events && code === status
          ? streamOf(facts.returns[code] ?? null, facts.events)
          : contentOf(facts.returns[code] ?? null)),
      }),
    ),
    ...(facts.events ? Object.values(facts.events).flatMap(extraModel) : []),
    ...(facts.missing ? [missingResponse(facts.missing)] : []),
    ...Object.entries(facts.errors ?? {}).map(([code, description]) =>
      ApiResponse({ status: Number(code), description }),
    ),
  );
}

function missingResponse(missing: string): MethodDecorator {
  const title = missing[0]!.toUpperCase() + missing.slice(1);
  return ApiResponse({
    status: 404,
    description: `The ${missing} does not exist, or the caller is not allowed to see it.`,
    example: { type: 'NotFound', message: `${title} was not found` },
  });
}

/** Documents a maximum size of the body that differs from the usual one. */
function bodySizeResponse(facts: OperationOptions): MethodDecorator[] {
  const size = bodySizeOf(facts);
  if (size === 'usual') return [];
  const example = { type: 'PayloadTooLarge', message: 'Request entity too large' };
  return [ApiResponse({ status: 413, description: tooLarge(size), example })];
}

/** Documents the errors of forms with a file. */
function uploadResponses(maxFileBytes: number): MethodDecorator[] {
  return [
    ApiResponse({ status: 408, description: 'The upload was too slow.' }),
    ApiResponse({
      status: 413,
      description: `The file is larger than ${formatBytes(maxFileBytes)}, or the form without its file is larger than 1 MiB.`,
      example: { type: 'PayloadTooLarge', message: `The file has more than ${maxFileBytes} bytes` },
    }),
    ApiResponse({
      status: 415,
      description: 'The body is not a form of the type `multipart/form-data`.',
      example: {
        type: 'UnsupportedMediaType',
        message: 'Uploads are forms: send Content-Type: multipart/form-data with a boundary',
      },
    }),
    ApiResponse({ status: 507, description: 'The server has insufficient storage for this file.' }),
  ];
}

/** Documents a form with a file, which is read as a stream. */
function ApiFileBody(name: string): MethodDecorator {
  const example = 'The content of a file';
  const properties = {
    [name]: { type: 'string', format: 'binary', description: 'Content of the file.', example },
  };
  return applyDecorators(
    ApiConsumes('multipart/form-data'),
    ApiBody({
      required: true,
      description: 'A form with the content in a file field.',
      schema: {
        title: `${name[0]!.toUpperCase()}${name.slice(1)}Form`,
        type: 'object',
        description: 'A form with one file.',
        required: [name],
        properties,
      },
      examples: { usual: { value: { [name]: example } } },
    }),
    ApiResponse({ status: 409, description: 'The upload already exists.' }),
  );
}

/** Documents a form with several fields, including a file. */
function ApiFormBody(type: Type, example: unknown): MethodDecorator {
  return applyDecorators(
    ApiConsumes('multipart/form-data'),
    ApiBody({
      type,
      required: true,
      description: 'A form with a file.',
      ...(example === undefined ? {} : { examples: { usual: { value: example } } }),
    }),
  );
}

interface Typed {
  type?: Type;
  schema?: JsonSchema;
}

/** Nest must be informed of classes that the document refers to manually. */
const extraModel = (shape: Shape): MethodDecorator[] =>
  typeof shape === 'function' ? [ApiExtraModels(shape) as MethodDecorator] : [];

function contentOf(shape: Shape | null): Pick<ApiResponseNoStatusOptions, 'content'> & Typed {
  if (!shape) return {};
  const mediaType = MEDIA_TYPES.get(shape);
  if (mediaType) return { content: { [mediaType]: { schema: shape as JsonSchema } } };
  return typeof shape === 'function' ? { type: shape } : { schema: shape };
}

/**
 * Returns the content of a stream. Its schema is that of the data of an event, which is what generators make a typed
 * reader of. `x-events` names the events.
 */
function streamOf(
  shape: Shape | null,
  events: Readonly<Record<string, Shape>>,
): Pick<ApiResponseNoStatusOptions, 'content' | 'description'> {
  const named = Object.fromEntries(Object.entries(events).map(([name, data]) => [name, schemaOf(data)]));
  const schemas = Object.values(named);
  const schema = schemas.length === 1 ? schemas[0]! : { oneOf: schemas };
  const names = Object.keys(events).map((name) => `\`${name}\``);
  const stream = { 'text/event-stream': { schema, 'x-events': named } };
  return {
    description: `${shape ? 'The resource, or a' : 'A'} stream of server-sent events named ${names.join(' or ')}. The \`data\` of each event is JSON of the schema.`,
    content: { ...(shape ? { 'application/json': { schema: schemaOf(shape) } } : {}), ...stream },
  };
}

const schemaOf = (shape: Shape): JsonSchema =>
  typeof shape === 'function' ? { $ref: getSchemaPath(shape) } : shape;
