import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'express';
import { operationsOf } from './operations.js';

/** Hides the Swagger logo and the links column, which the document does not use. */
const CSS = '.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }';

/**
 * Paths whose responses are generated from the whole document and therefore cached: the YAML takes 100 ms, and any
 * client can request it.
 */
const COMPRESSED_PATHS = ['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js'];

/** Serves the document at `/openapi.json` and `/openapi.yaml`, and Swagger UI at `/docs`. `/` redirects there. */
export function serveDocument(app: INestApplication, document: OpenAPIObject): void {
  for (const path of COMPRESSED_PATHS) app.getHttpAdapter().get(path, cachedResponse());
  // A relative redirect, so that it also works if a proxy serves the platform below a path.
  app.getHttpAdapter().get('/', (_request: unknown, response: Response) => response.redirect('docs'));
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Fieldwright API',
    customCss: CSS,
    swaggerOptions: {
      docExpansion: 'none',
      filter: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
    },
    patchDocumentOnRequest: (request) =>
      (request as { path: string }).path.endsWith('.js') ? pageDocument(document) : document,
  });
}

/** Returns middleware that caches the first response of a route and sends it for all later requests. */
function cachedResponse(): (request: unknown, response: Response, next?: Function) => void {
  let kept: { type: string; text: Buffer } | undefined;
  return (_request, response, next) => {
    if (kept) return void response.type(kept.type).send(kept.text);
    const send = response.send.bind(response);
    response.send = (body) => {
      if (response.statusCode !== 200) return send(body);
      kept = { type: response.getHeader('Content-Type') as string, text: Buffer.from(body as string) };
      return send(kept.text);
    };
    next?.();
  };
}

interface Shown {
  example?: string | number | boolean;
}

/**
 * The document as the page shows it. The page fills a form with the examples of its parameters, so that a list would be
 * filtered by them: examples of optional ones move into their descriptions. The header that every response has is left
 * out.
 */
export function pageDocument(document: OpenAPIObject): OpenAPIObject {
  const page = structuredClone(document);
  for (const { operation } of operationsOf(page)) {
    for (const parameter of operation.parameters ?? []) {
      const shown = parameter.schema as Shown;
      const { example } = shown;
      if (parameter.required || example === undefined) continue;
      parameter.description = `${parameter.description as string} Example: \`${String(example)}\``;
      delete shown.example;
    }
    Object.values(operation.responses).forEach(withoutRequestId);
  }
  Object.values(page.components?.responses ?? {}).forEach(withoutRequestId);
  return page;
}

function withoutRequestId(response: object): void {
  const { headers = {} } = response as { headers?: Record<string, unknown> };
  delete headers['X-Request-Id'];
}
