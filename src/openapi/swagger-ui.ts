import type { HttpServer } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationsOf, parametersOf } from './operations.js';

const PAGE = fileURLToPath(new URL('page', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const PAGE_DOCUMENT = '/docs/openapi.json';

/** Serves the document at `/openapi.json` and `/openapi.yaml`, and Swagger UI at `/docs/`. `/` redirects there. */
export function serveDocument(app: NestExpressApplication, document: OpenAPIObject): void {
  const server: HttpServer = app.getHttpAdapter();
  for (const path of ['/openapi.json', '/openapi.yaml', PAGE_DOCUMENT]) server.get(path, cachedResponse());
  SwaggerModule.setup('docs', app, document, {
    ui: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
  });
  server.get(PAGE_DOCUMENT, (_request: Request, response: Response) =>
    response.type('json').send(JSON.stringify(pageDocument(document))),
  );
  // Relative redirects also work if a proxy serves the platform below a path.
  server.get('/', (_request: Request, response: Response) => response.redirect('docs/'));
  server.get('/docs', ({ path }: Request, response: Response, next?: Function) => {
    if (path === '/docs') response.redirect('docs/');
    else next?.();
  });
  app.useStaticAssets(PAGE, { prefix: '/docs', redirect: false });
  app.useStaticAssets(SWAGGER_UI, { prefix: '/docs', redirect: false, index: false });
}

/**
 * Returns middleware that caches the first response of a route and sends it for all later requests, or `304` if the client
 * has it. These responses are generated from the whole document: the YAML takes 300 ms, and any client can request it.
 */
function cachedResponse(): (request: unknown, response: Response, next?: Function) => void {
  let kept: { type: string; text: Buffer; tag: string } | undefined;
  return (_request, response, next) => {
    const send = response.send.bind(response);
    const sendKept = ({ type, text, tag }: NonNullable<typeof kept>) => {
      response.set({ 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: tag });
      return send(text);
    };
    if (kept) return void sendKept(kept);
    response.send = (body) => {
      if (response.statusCode !== 200) return send(body);
      const text = Buffer.from(body as string);
      // Weak, because the response may be compressed.
      const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
      return sendKept((kept = { type: response.getHeader('Content-Type') as string, text, tag }));
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
    operation.parameters = parametersOf(page, operation).map((parameter) => structuredClone(parameter));
    for (const parameter of operation.parameters) {
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
