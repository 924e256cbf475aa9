import { CALLBACK_EXTENSION } from '../platform/operations/operation.js';
import type { Json, Operation } from './operations.js';
import { referredName } from '../platform/responses/schema.js';

/** Name of the callback in the operation. */
const JOB_ENDED = 'jobEnded';

/** Headers of callbacks, which receivers verify. */
export const CALLBACK_HEADERS: Readonly<Record<string, Json>> = {
  WebhookId: header(
    'webhook-id',
    'ID of the callback. It is the same for all attempts, so that the receiver can ignore repetitions.',
    'V1StGXR8_Z5jdHi6B-myT',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Time of this attempt, in seconds since 1970. Receivers refuse old ones.',
    '1781323200',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signature according to Standard Webhooks: `v1,` and the Base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the secret of the application or instance, which the operator holds.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

/** Documents the request to `callbackUrl`, if the operation has one. */
export function documentCallback(operation: Operation, schemas: Readonly<Record<string, Json>>): void {
  const { [CALLBACK_EXTENSION]: schema, operationId } = operation;
  delete operation[CALLBACK_EXTENSION];
  if (!schema) return;
  const places = placesOf(operation, schemas);
  if (places.length === 0) throw new Error(`${operationId}: a callback needs a callbackUrl`);
  const type = operationId.replace('_', '.');
  const post = pushed({
    summary: 'Reports the end of the job',
    description: `Sent to \`callbackUrl\` with the type \`${type}\` when the job has completed or failed. The platform waits ten seconds for the response and follows no redirects.`,
    schema: schema as Json,
  });
  operation.callbacks = { [JOB_ENDED]: Object.fromEntries(places.map((place) => [place, { post }])) };
}

/** Returns the webhook for servers that receive the callbacks of several operations. */
export function jobWebhook(operations: readonly Operation[]): Json {
  const mapping = Object.fromEntries(
    operations.flatMap(({ operationId, callbacks }) => {
      const schema = schemaOf(callbacks as Json | undefined);
      return schema ? [[operationId.replace('_', '.'), schema.$ref as string] as const] : [];
    }),
  );
  const choices = [...new Set(Object.values(mapping))].sort().map(($ref) => ({ $ref }));
  const post = pushed({
    summary: 'Reports the end of a job',
    description:
      'The callbacks of all operations with a `callbackUrl`, for servers that receive those of several operations.',
    schema: { oneOf: choices, discriminator: { propertyName: 'type', mapping } },
  });
  return { post: { operationId: JOB_ENDED, ...post } };
}

/** Returns the schema of the callback of an operation. */
function schemaOf(callbacks: Json | undefined): Json | undefined {
  const [item] = Object.values((callbacks?.[JOB_ENDED] ?? {}) as Record<string, { post: Pushed }>);
  return item?.post.requestBody.content['application/json'].schema;
}

interface Pushed {
  requestBody: Json & { content: { 'application/json': { schema: Json } } };
}

/** Returns a request that the platform sends, with its signature and the expected responses. */
function pushed({
  summary,
  description,
  schema,
}: {
  summary: string;
  description: string;
  schema: Json;
}): Json & Pushed {
  return {
    summary,
    description,
    security: [],
    parameters: Object.keys(CALLBACK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      description: 'The end of the job.',
      content: { 'application/json': { schema } },
    },
    responses: {
      200: { description: 'The callback was received. Any status from 200 to 299 has this meaning.' },
      410: { description: 'The receiver is gone. The callback is not sent again.' },
      default: {
        description:
          'The callback was not received. It is sent again, 12 times within about two and a half hours.',
      },
    },
  };
}

/** Returns the runtime expressions of the URL: in the query, in the body, or in the options of a form. */
function placesOf(
  { parameters = [], requestBody }: Operation,
  schemas: Readonly<Record<string, Json>>,
): string[] {
  const inQuery = parameters.some(({ name }) => name === 'callbackUrl');
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema as Json);
  const pointers = bodies.flatMap((schema) => pointersIn(schema, schemas, ''));
  return [
    ...(inQuery ? ['{$request.query.callbackUrl}'] : []),
    ...pointers.map((pointer) => `{$request.body#${pointer}}`),
  ];
}

function pointersIn(schema: Json, schemas: Readonly<Record<string, Json>>, at: string): string[] {
  const {
    $ref,
    allOf = [],
    properties = {},
  } = schema as {
    $ref?: string;
    allOf?: Json[];
    properties?: Record<string, Json>;
  };
  if ($ref) return pointersIn(schemas[referredName($ref)] ?? {}, schemas, at);
  if (properties.callbackUrl) return [`${at}/callbackUrl`];
  return [
    ...allOf.flatMap((part) => pointersIn(part, schemas, at)),
    ...(properties.options ? pointersIn(properties.options, schemas, `${at}/options`) : []),
  ];
}
