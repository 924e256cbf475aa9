import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'express';
import { operationsOf } from './document.js';

/** What the page does not need: a logo that is not ours, and links, of which the document has none. */
const CSS = '.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }';

/** Made of the whole document, by whoever asks: the YAML takes a tenth of a second. */
const LARGE = ['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js'];

/** Serves the document at `/openapi.json` and `/openapi.yaml`, and the Swagger UI of it at `/docs`, where `/` leads. */
export function serveDocument(app: INestApplication, document: OpenAPIObject): void {
  for (const path of LARGE) app.getHttpAdapter().get(path, answeredOnce());
  // Without a slash before it, so that it leads there also where a proxy has the platform below a path.
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
      (request as { path: string }).path.endsWith('.js') ? forPage(document) : document,
  });
}

/** Stands before a route, keeps what it answers first and answers with that from then on. */
function answeredOnce(): (request: unknown, response: Response, next?: Function) => void {
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
  example?: unknown;
}

/**
 * The document as the page shows it. The page fills a form with the examples of its parameters, so that a list would be
 * filtered by them: examples of optional ones move into their descriptions. The header that every response has is left
 * out.
 */
export function forPage(document: OpenAPIObject): OpenAPIObject {
  const page = structuredClone(document);
  for (const { operation } of operationsOf(page)) {
    for (const parameter of operation.parameters ?? []) {
      const json = (parameter.content as Record<string, Shown> | undefined)?.['application/json'];
      const shown = json ?? (parameter.schema as Shown);
      const { example } = shown;
      if (parameter.required || example === undefined) continue;
      const text = typeof example === 'string' ? example : JSON.stringify(example);
      parameter.description = `${parameter.description as string} Example: \`${text}\``;
      delete shown.example;
      // Without an example the page makes one up; every query that is JSON takes an empty object for no condition.
      if (json) json.example = {};
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
