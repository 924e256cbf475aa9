import type { OpenAPIObject } from '@nestjs/swagger';
import type { operationsOf } from '../../src/openapi/operations.js';
import type { Json } from '../suites/hostile/schemas.js';

type Operation = ReturnType<typeof operationsOf>[number]['operation'];

/** Operations that accept a `callbackUrl` for compatible clients and send nothing, as their descriptions say. */
const WITHOUT_CALLBACK: ReadonlySet<string> = new Set(['flowVersions_delete']);

const COMPONENT = /^#\/components\/schemas\/(\w+)$/;

/**
 * Interactions beyond a request and its response are documented for generators: the events of streams, the callbacks of
 * jobs, and how long signed links are valid.
 */
export function interactionFaults(document: OpenAPIObject, operations: readonly Operation[]): string[] {
  const components = (document.components?.schemas ?? {}) as Record<string, Json>;
  return [
    ...operations.flatMap((operation) => [
      ...callbackFaults(operation, components),
      ...streamFaults(operation),
    ]),
    ...Object.entries(components).flatMap(([name, { properties = {} }]) =>
      linkFaults(name, properties as Json),
    ),
  ];
}

function callbackFaults(
  { operationId, parameters = [], requestBody, callbacks }: Operation,
  components: Json,
) {
  const isAsked =
    parameters.some(({ name }) => name === 'callbackUrl') ||
    Object.values(requestBody?.content ?? {}).some(({ schema }) =>
      asksForCallback(schema as Json, components),
    );
  if (!isAsked || callbacks || WITHOUT_CALLBACK.has(operationId)) return [];
  return [`${operationId} takes a callbackUrl and documents no callback`];
}

function asksForCallback(schema: Json, components: Json): boolean {
  const {
    $ref = '',
    properties = {},
    allOf = [],
  } = schema as Json & {
    $ref?: string;
    properties?: Record<string, Json>;
    allOf?: Json[];
  };
  const [, component = ''] = COMPONENT.exec($ref) ?? [];
  const parts = [...allOf, ...(properties.options ? [properties.options] : [])];
  if (component) parts.push(components[component] as Json);
  return 'callbackUrl' in properties || parts.some((part) => asksForCallback(part, components));
}

/** Every event of a stream has a name and a component. */
function streamFaults({ operationId, responses }: Operation): string[] {
  const streams = Object.values(responses).flatMap(({ content }): Json[] => {
    const stream = (content as Record<string, Json> | undefined)?.['text/event-stream'];
    return stream ? [stream] : [];
  });
  return streams.flatMap((stream) => {
    const events = Object.entries((stream['x-events'] ?? {}) as Record<string, { $ref?: string }>);
    if (events.length === 0) return [`${operationId} streams events without names`];
    return events.flatMap(([name, { $ref = '' }]) =>
      COMPONENT.test($ref) ? [] : [`${operationId}: the event ${name} is no component`],
    );
  });
}

/** Signed links, which point to `/blobs` in examples, say how long they are valid. */
function linkFaults(component: string, properties: Json): string[] {
  return Object.entries(properties as Record<string, Json>)
    .filter(([, { example }]) => typeof example === 'string' && example.includes('/blobs'))
    .filter(
      ({ 1: { format, description } }) => format !== 'uri' || !/\bvalid for\b/i.test(String(description)),
    )
    .map(([name]) => `${component}.${name} is a signed link without its lifetime`);
}
