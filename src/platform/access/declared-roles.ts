import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OPERATION, type OperationMeta } from '../operations/operation.js';
import { PLACE_PARAMETERS } from './places.js';

/** Holds every controller to its roles at start: what a path names is never reached without one. */
@Injectable()
export class DeclaredRoles implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) demandRoles(metatype as Type);
  }
}

/**
 * Throws where a path names an application, organization or instance and its operation declares no role there, unless
 * its own statement asks for one or nobody has to; and where a role is declared that no path has a place for.
 */
export function demandRoles(controller: Type): void {
  const prototype = controller.prototype as Record<string, object>;
  for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
    const handler = prototype[name]!;
    const operation = Reflect.getMetadata(OPERATION, handler) as OperationMeta | undefined;
    if (!operation) continue;
    const { id, role, selfGuarded, scopes } = operation;
    for (const path of pathsOf(controller, handler)) {
      const place = PLACE_PARAMETERS.find((parameter) => path.split('/').includes(`:${parameter}`));
      if (place && !role && !selfGuarded && scopes !== 'public')
        throw new Error(`${id}: its path names ${place}, and no role is declared`);
      if (role && !place)
        throw new Error(`${id}: a role is declared, and its path names no place to have it in`);
    }
  }
}

function pathsOf(controller: Type, handler: object): string[] {
  const [bases, parts] = [controller, handler].map((target) =>
    [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat(),
  );
  return bases!.flatMap((base) => parts!.map((part) => `${base}/${part}`));
}
