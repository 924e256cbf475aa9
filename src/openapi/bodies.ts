import type { Operation } from './operations.js';

/** Nest supports only named examples of bodies; converts a single one to `example`. */
export function documentBody({ requestBody }: Operation): void {
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
