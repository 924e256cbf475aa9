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
import { SINGLE_SCOPES } from '../access/scope-names.js';
import { registerScopes } from '../access/scopes.js';
import type { JsonSchema } from '../fields/fields.js';

/** What a body or an answer is: a documented class, or a JSON Schema whose title names it. */
export type Shape = Type | JsonSchema;

/** Roles on an application or organization, from least to most. */
export const ROLES = ['none', 'view', 'collaborate', 'edit', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const ROLE = {
  title: 'Role',
  type: 'string',
  enum: ROLES,
  description: 'What a member may do, from least to most.',
} as const satisfies JsonSchema;

/** An answer that is a stream of server-sent events, as long as the caller stays. */
export const EVENT_STREAM: JsonSchema = {
  type: 'string',
  description: 'Server-sent events, each with an `id`, its name as `event`, and JSON as `data`.',
};

/** An answer that is a module of WebAssembly. */
export const WASM_MODULE: JsonSchema = {
  type: 'string',
  format: 'binary',
  description: 'A module of WebAssembly.',
};

/** The types of answers that are no JSON. */
const MEDIA_TYPES: ReadonlyMap<Shape, string> = new Map([
  [EVENT_STREAM, 'text/event-stream'],
  [WASM_MODULE, 'application/wasm'],
]);

export interface OperationFacts {
  /** One line, for the list of operations. */
  summary: string;
  /** What its user should know: behaviour, defaults, limits. Markdown. */
  description: string;
  /**
   * The group scopes that are accepted, or `public` for an operation without a token. Empty for one of `SINGLE_SCOPES`,
   * which its own name alone opens.
   */
  scopes: readonly string[] | 'public';
  /** The operation whose name stands in the scopes where it is not this one (`application.patch` for globals). */
  scopedAs?: string;
  /** The role that the caller needs on the application, organization or instance in the path; required where one is. */
  role?: Role;
  /**
   * The role that the handler's own statement checks in its WHERE, so that the guard loads nothing. For the few hot
   * operations on the resource that carries the rights itself.
   */
  selfGuarded?: Role;
  /** The body: its name in error messages, and its class. */
  body?: Readonly<Record<string, Shape>>;
  /** True where the body may be left out. */
  optionalBody?: boolean;
  /** True where the body is many resources at once, and may have 10 MiB in place of 1. */
  largeBody?: boolean;
  /** The name of the one file that the operation takes as a form; the handler reads it. */
  file?: string;
  /** A form with several fields, as its class; the handler reads it. */
  form?: Type;
  /** A body to begin with: little, and it works as it stands. */
  example?: unknown;
  /** Success statuses and what they carry; the first is the ordinary one. `null` is an empty answer. */
  returns: Readonly<Record<number, Shape | null>>;
  /** True where the answer may also be a stream of server-sent events, for who accepts one. */
  streams?: boolean;
  /** What 404 says is missing: `application` makes `Application was not found`. */
  missing?: string;
  /** Further error statuses with their meaning, beside those that every operation has. */
  errors?: Readonly<Record<number, string>>;
}

/** What the guards, the interceptor and the document know of an operation. */
export interface OperationMeta extends OperationFacts {
  /** `application.get`: resource and action. */
  id: string;
  /** Every scope that is accepted; empty for a public operation. */
  accepts: ReadonlySet<string>;
  /** The name of the body in messages. */
  bodyName?: string;
}

export const OPERATION = Symbol('operation');
/** Carries the role to the document, where it becomes a sentence of the description. */
export const ROLE_EXTENSION = 'x-role';
const ID = /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/;

/**
 * Declares a handler as the operation `id` (`<resource>.<action>`): the scopes that the guard asks for, the entry in
 * the document, the status and the classes of its answers. A declaration that contradicts itself fails at load.
 */
export function Operation(id: string, facts: OperationFacts): MethodDecorator {
  const [resource = '', action = ''] = id.split('.');
  const statuses = Object.keys(facts.returns).map(Number);
  const status = statuses[0];
  const role = facts.role ?? facts.selfGuarded;
  if (!ID.test(id)) throw new Error(`${id}: an operation is named <resource>.<action>`);
  if (status === undefined) throw new Error(`${id}: no success status is declared`);
  const own = facts.scopedAs ?? id;
  const single = SINGLE_SCOPES.has(own);
  if (facts.scopes.length === 0 && !single) throw new Error(`${id}: no scope is declared`);
  if (facts.scopes.length > 0 && single) throw new Error(`${id}: only its own name opens it`);
  if (facts.returns[204]) throw new Error(`${id}: 204 carries no body`);
  if (facts.scopes === 'public' && role)
    throw new Error(`${id}: a public operation has no caller whose role could be asked for`);
  if (facts.role && facts.selfGuarded) throw new Error(`${id}: its own statement asks for the role`);
  const bodies = Object.entries(facts.body ?? {});
  if (facts.optionalBody && bodies.length === 0) throw new Error(`${id}: there is no body to leave out`);
  if (bodies.length > 1) throw new Error(`${id}: an operation takes one body`);
  const wider = facts.scopes === 'public' || single ? [] : [...facts.scopes, `${resource}.*`];
  const accepts = facts.scopes === 'public' ? [] : [...wider, own];
  registerScopes(own, accepts);
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
    ...bodies.map(([name, shape]) =>
      ApiBody({
        ...contentOf(shape),
        required: !facts.optionalBody,
        description: `The ${name}.`,
        ...(facts.example === undefined ? {} : { examples: { usual: { value: facts.example } } }),
      }),
    ),
    ...(facts.file ? [takesFile(facts.file)] : []),
    ...(facts.form ? [takesForm(facts.form, facts.example)] : []),
    ...statuses.map((code) =>
      ApiResponse({
        status: code,
        ...contentOf(facts.returns[code] ?? null, facts.streams),
      }),
    ),
    ...(facts.streams ? statuses.flatMap((code) => extraModel(facts.returns[code])) : []),
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
    description: `The ${missing} does not exist, or you may not know that it does.`,
    example: { type: 'NotFound', message: `${title} was not found` },
  });
}

const UPLOAD_ERRORS = [
  ApiResponse({ status: 408, description: 'The upload came too slowly.' }),
  ApiResponse({ status: 507, description: 'The server has no room for this file.' }),
];

/** A form with a file, which is read as it comes. */
function takesFile(name: string): MethodDecorator {
  const example = 'The content of a file';
  const properties = {
    [name]: { type: 'string', format: 'binary', description: 'The content.', example },
  };
  return applyDecorators(
    ApiConsumes('multipart/form-data'),
    ApiBody({
      required: true,
      description: 'A form with the content as its file.',
      schema: {
        title: `${name[0]!.toUpperCase()}${name.slice(1)}Form`,
        type: 'object',
        description: 'A form with one file.',
        required: [name],
        properties,
      },
      examples: { usual: { value: { [name]: example } } },
    }),
    ApiResponse({ status: 409, description: 'The upload is there already.' }),
    ...UPLOAD_ERRORS,
  );
}

/** A form with fields of its own, and a file among them. */
function takesForm(type: Type, example: unknown): MethodDecorator {
  return applyDecorators(
    ApiConsumes('multipart/form-data'),
    ApiBody({
      type,
      required: true,
      description: 'A form.',
      ...(example === undefined ? {} : { examples: { usual: { value: example } } }),
    }),
    ...UPLOAD_ERRORS,
  );
}

interface Typed {
  type?: Type;
  schema?: JsonSchema;
}

/** A class that the document refers to by hand has to be made known to it. */
const extraModel = (shape?: Shape | null): MethodDecorator[] =>
  typeof shape === 'function' ? [ApiExtraModels(shape) as MethodDecorator] : [];

function contentOf(
  shape: Shape | null,
  streams = false,
): Pick<ApiResponseNoStatusOptions, 'content'> & Typed {
  if (!shape) return {};
  const streamed = { 'text/event-stream': { schema: EVENT_STREAM } };
  const mediaType = MEDIA_TYPES.get(shape);
  if (mediaType) return { content: { [mediaType]: { schema: shape as JsonSchema } } };
  if (streams && typeof shape === 'function')
    return { content: { 'application/json': { schema: { $ref: getSchemaPath(shape) } }, ...streamed } };
  return typeof shape === 'function' ? { type: shape } : { schema: shape };
}
