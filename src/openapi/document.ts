import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { packageFile } from '../lib/files/package-file.js';
import { ErrorBody, ValidationErrorsBody } from '../platform/fields/shared.schemas.js';
import { documentJob, JOB_LINKS, JOB_LOCATION } from './accepted-jobs.js';
import { documentAccess } from './access.js';
import { documentBody, documentForm } from './bodies.js';
import { documentCallback } from './callbacks.js';
import { titleEnums, titleOperationEnums } from './enums.js';
import { documentInvalidRequests } from './example-errors.js';
import { documentExamples } from './examples.js';
import { operationsOf, removeAliases, type Json } from './operations.js';
import { documentPathParameters } from './parameters.js';
import { prune } from './prune.js';
import { documentErrors, documentSuccess, HEADERS, sharedErrors } from './responses.js';
import {
  closeObjects,
  describeDefaults,
  documentIntegers,
  documentOptionalProperties,
  hoistTitled,
  openObjects,
} from './schemas.js';
import { shareRepeated } from './sharing.js';
import { documentTags } from './tags.js';
import { DESCRIPTION } from './texts.js';
import { documentWebhooks } from './webhooks.js';

/**
 * Builds the OpenAPI document of the application. Adds to the output of Nest: error responses, IDs in paths, named
 * components for schemas with a title, and bodies that reject unknown properties.
 */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Fieldwright API')
    .setDescription(DESCRIPTION)
    .setVersion(packageFile.version)
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
  const schemas = (document.components!.schemas ??= {}) as Record<string, Json>;
  for (const { path, operation } of operations) {
    documentCallback(operation, schemas);
    documentPathParameters(path, operation);
    documentBody(operation);
    documentErrors(operation);
    documentSuccess(operation);
    documentJob(path, operation.responses);
    documentAccess(path, operation);
  }
  titleEnums(schemas);
  for (const { operation } of operations) titleOperationEnums(operation);
  hoistTitled(document as unknown as Json, schemas);
  for (const schema of Object.values(schemas)) documentOptionalProperties(schema);
  document.components!.responses = sharedErrors() as never;
  document.components!.headers = { ...HEADERS, ...JOB_LOCATION };
  document.components!.links = JOB_LINKS;
  documentWebhooks(
    document,
    operations.map(({ operation }) => operation),
  );
  for (const { operation } of operations) documentForm(operation, schemas);
  for (const { operation } of operations) closeObjects(operation.requestBody, schemas);
  for (const schema of Object.values(schemas)) openObjects(schema);
  describeDefaults(schemas);
  documentIntegers(document as unknown as Json);
  documentExamples(document);
  documentInvalidRequests(document);
  shareRepeated(document);
  prune(document);
  document.components!.schemas = Object.fromEntries(
    Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  document.paths = Object.fromEntries(Object.entries(document.paths).sort(([a], [b]) => (a < b ? -1 : 1)));
  return document;
}
