import { RequestMethod, type INestApplication, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from 'node:http';
import { operationsOf } from '../../src/openapi/operations.js';
import { OPERATION, type OperationMeta } from '../../src/platform/operations/operation.js';
import { layersOf } from '../../src/platform/server/http.js';
import { UNLISTED } from '../../src/platform/server/unlisted.js';

/** A route of the running application. */
export interface Route {
  /** `GET /applications/:applicationId` */
  name: string;
  operation?: OperationMeta;
  unlisted: boolean;
  /** Whether it is an additional path of a handler that the document does not list. */
  alias: boolean;
}

/** Returns every handler of every controller of `app`, from Nest's own metadata. */
export function nestRoutes(app: INestApplication): Route[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return [...new Set(controllers)].flatMap(routesOfController);
}

/** Returns the routes of one controller class. */
export function routesOfController(controller: Type): Route[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((method) => {
    const handler = prototype[method]!;
    const path = Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined;
    if (path === undefined) return [];
    const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
    const operation = Reflect.getMetadata(OPERATION, handler) as OperationMeta | undefined;
    const unlisted = Reflect.getMetadata(UNLISTED, handler) === true;
    const bases = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
    return bases.flatMap((base) =>
      [path].flat().map((part, index) => ({
        name: `${verb} ${joined(base, part)}`,
        operation,
        unlisted,
        alias: index > 0,
      })),
    );
  });
}

/** Returns every route of Express's router, whatever its origin; a mounted router counts as an unknown route. */
export function expressRoutes(app: INestApplication): string[] {
  return layersOf(app).flatMap(({ name, route }) => {
    if (!route) return name === 'router' ? ['ALL a mounted router'] : [];
    const methods = Object.keys(route.methods);
    // A handler for all verbs is listed once as `ALL`.
    const verbs = methods.length === METHODS.length ? ['all'] : methods;
    return verbs.flatMap((verb) =>
      [route.path].flat().map((path) => `${verb.replace('_', '').toUpperCase()} ${path}`),
    );
  });
}

/** URLs of the Swagger UI, its redirect and its files, and of the document. */
const DOCUMENTATION = /^GET \/(docs(\/.*)?|openapi\.(json|yaml))?$/;

/** Returns a sentence for each fault in the routes of an application. */
export function faultsOf(routes: Route[], served: string[], document: OpenAPIObject): string[] {
  const faults: string[] = [];
  const known = new Set(routes.map(({ name }) => name));
  for (const name of served) {
    if (!known.has(name) && !DOCUMENTATION.test(name)) faults.push(`${name} is served by no controller`);
  }
  const documented = new Map(
    operationsOf(document).map(({ path, method, operation }) => [
      operation.operationId,
      { name: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, operation },
    ]),
  );
  const ids = new Map<string, string>();
  for (const { name, operation, unlisted, alias } of routes) {
    if (!served.includes(name)) faults.push(`${name} is declared and not served`);
    if (!operation) {
      if (!unlisted) faults.push(`${name} has no @Operation`);
      continue;
    }
    if (alias) continue;
    const { id, scopes, accepts } = operation;
    if (unlisted) faults.push(`${name} is an operation and a unlisted`);
    if (ids.has(id)) faults.push(`${name} and ${ids.get(id)} are both ${id}`);
    ids.set(id, name);
    if (scopes !== 'public' && accepts.size === 0) faults.push(`${name} asks for no scope`);
    const entry = documented.get(id.replace('.', '_'));
    if (!entry) faults.push(`${name} is not in the document`);
    else if (entry.name !== name) faults.push(`${name} is ${entry.name} in the document`);
    else if (String(entry.operation['x-scopes']) !== String([...accepts]))
      faults.push(`${name} has other scopes in the document`);
    else if ((scopes === 'public') !== (entry.operation.security?.length === 0))
      faults.push(`${name} is public here or in the document, not in both`);
  }
  for (const [id, { name }] of documented) {
    if (!ids.has(id.replace('_', '.'))) faults.push(`${name} is in the document and not served`);
  }
  return faults;
}

function joined(base: string, path: string): string {
  const parts = [base, path].map((part) => part.replace(/^\/+|\/+$/g, '')).filter((part) => part !== '');
  return `/${parts.join('/')}`;
}
