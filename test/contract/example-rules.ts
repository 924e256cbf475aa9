import type { OpenAPIObject } from '@nestjs/swagger';
import { parametersOf, responsesOf, type operationsOf } from '../../src/openapi/operations.js';
import type { Json, Schemas } from '../suites/hostile/schemas.js';
import { referredName } from '../../src/platform/responses/schema.js';

type Operation = ReturnType<typeof operationsOf>[number];
interface Media {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';
/** Times of which the first is not after the second. */
const ORDERED = [
  ['creationDate', 'lastUpdated'],
  ['createdAt', 'updatedAt'],
  ['creationDate', 'expirationDate'],
  ['start', 'end'],
  ['currentPeriodStart', 'currentPeriodEnd'],
  ['notValidBefore', 'notValidAfter'],
  ['runQueuedAt', 'runStartedAt'],
  ['runStartedAt', 'runCompletedAt'],
] as const;

/** Returns faults of the examples of bodies, responses and errors; each sentence names one of them. */
export function shownFaults(document: OpenAPIObject, operations: Operation[], schemas: Schemas): string[] {
  return [
    ...operations.flatMap((operation) => responseFaults(operation, document, schemas)),
    ...operations.flatMap(({ operation }) => refusalFaults(operation, document)),
    ...twinFaults(operations, document),
    ...Object.entries((document.components?.examples ?? {}) as Record<string, { value: unknown }>).flatMap(
      ([name, { value }]) => coherenceFaults(name, value),
    ),
  ];
}

/** Every JSON response of success has a valid example, which shows what the example of the body created. */
function responseFaults({ operation }: Operation, document: OpenAPIObject, schemas: Schemas): string[] {
  const { operationId: id, responses, requestBody } = operation;
  const sent = requestBody?.content[JSON_TYPE] as Media | undefined;
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const media = (content as Record<string, Media> | undefined)?.[JSON_TYPE];
    if (Number(status) >= 400 || !media) return [];
    const example = exampleOf(media, document);
    if (example === undefined) return [`${id} has no example of its ${status}`];
    if (!schemas.validator(media.schema)(example))
      return [`${id}: the example of its ${status} is not valid`];
    return sent?.example && new RegExp(`^${nameOf(media)}(Post|Patch)$`).test(nameOf(sent))
      ? disagreements(id, sent.example as Json, example as Json)
      : [];
  });
}

function exampleOf({ example, examples }: Media, document: OpenAPIObject): unknown {
  const [shared] = Object.values(examples ?? {});
  const known = document.components?.examples as Record<string, { value: unknown }> | undefined;
  return shared ? known?.[referredName(shared.$ref)]?.value : example;
}

const nameOf = ({ schema }: Media): string => referredName(String(schema.$ref));

/** The response shows the texts and numbers of the body. */
function disagreements(id: string, sent: Json, shown: Json): string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const differs = typeof value !== 'object' && name in shown && shown[name] !== value;
    return differs ? [`${id}: its body has another ${name} than its response`] : [];
  });
}

/** A 400 names something of its operation, and uploads do not speak of JSON. */
function refusalFaults(operation: Operation['operation'], document: OpenAPIObject): string[] {
  const { operationId: id, requestBody } = operation;
  const responses = responsesOf(document, operation);
  const form = requestBody?.content[FORM_TYPE] as Media | undefined;
  const names = inputsOf(operation, document);
  const message = messageOf(responses[400]);
  const isOwn = names.some((name) => new RegExp(`\\b${name}\\b`).test(message));
  const formTexts = form ? [413, 415].map((status) => JSON.stringify(responses[status])) : [];
  return [
    ...(names.length > 0 && !isOwn ? [`${id}: its 400 names nothing of the operation`] : []),
    ...(formTexts.every((text) => /\bfile|\bforms?\b/.test(text) && !/JSON/.test(text))
      ? []
      : [`${id}: its 413 or 415 is not about forms`]),
  ];
}

/** Names of the body, of the properties of a form, and of parameters. */
function inputsOf(
  { requestBody, parameters = [] }: Operation['operation'],
  document: OpenAPIObject,
): string[] {
  const { description } = (requestBody ?? {}) as { description?: string };
  const form = requestBody?.content[FORM_TYPE] as Media | undefined;
  const properties = form && (document.components?.schemas?.[nameOf(form)] as Json | undefined)?.properties;
  const named = parametersOf(document, { parameters });
  return [
    ...(/`(\w+)`/.exec(description ?? '')?.slice(1) ?? []),
    ...Object.keys(properties ?? {}),
    ...named.map(({ name }) => String(name)),
  ];
}

const messageOf = (response: Json | undefined): string => {
  const content = response?.content as Record<string, { example: { message: string } }> | undefined;
  return content?.[JSON_TYPE]?.example.message ?? '';
};

/** Operations with different bodies show different errors. */
function twinFaults(operations: Operation[], document: OpenAPIObject): string[] {
  const seen = new Map<string, { id: string; body: string }>();
  return operations.flatMap(({ operation }) => {
    const { operationId: id, requestBody } = operation;
    const [media] = Object.values(requestBody?.content ?? {});
    const message = messageOf(responsesOf(document, operation)[400]);
    if (!media || !message) return [];
    const body = JSON.stringify(media.schema);
    const other = seen.get(message);
    if (other && other.body !== body) return [`${id} and ${other.id} show the same 400`];
    seen.set(message, { id, body });
    return [];
  });
}

/** Lists count their items, and times are in order. */
function coherenceFaults(at: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { items, count, totalCount = count } = value as Json;
  const isCounted =
    !Array.isArray(items) || count === undefined || (count === items.length && totalCount === count);
  return [
    ...(isCounted ? [] : [`${at} does not count its items`]),
    ...ORDERED.flatMap(([before, after]) => {
      const [first, then] = [(value as Json)[before], (value as Json)[after]];
      const isWrong = typeof first === 'string' && typeof then === 'string' && first > then;
      return isWrong ? [`${at}: its ${before} is after its ${after}`] : [];
    }),
    ...Object.entries(value).flatMap(([key, child]) => coherenceFaults(`${at}.${key}`, child)),
  ];
}
