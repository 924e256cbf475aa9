import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { declaredOperations } from '../operations/declared-operations.js';
import { PLACE_PARAMETERS } from './places.js';

/**
 * Checks at startup that every controller declares its roles, so that nothing a path names is reachable without one.
 */
@Injectable()
export class DeclaredRoles implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) assertRolesDeclared(metatype as Type);
  }
}

/**
 * Throws if a path names an application, organization or instance and its operation declares no role. Exempt are public
 * operations and operations whose own statement checks the role. Also throws if a role is declared and no path names a
 * place.
 */
export function assertRolesDeclared(controller: Type): void {
  for (const { handler, operation } of declaredOperations(controller)) {
    const { id, role, selfGuarded, scopes } = operation;
    for (const path of pathsOf(controller, handler)) {
      const place = PLACE_PARAMETERS.find((parameter) => path.split('/').includes(`:${parameter}`));
      if (place && !role && !selfGuarded && scopes !== 'public')
        throw new Error(`${id}: its path names ${place}, but no role is declared`);
      if (role && !place)
        throw new Error(`${id}: a role is declared, but its path names no place to which it could apply`);
    }
  }
}

/** Returns the paths of a handler, without slashes around them. */
export function pathsOf(controller: Type, handler: object): string[] {
  const [bases, parts] = [controller, handler].map((target) =>
    [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat(),
  );
  return bases!.flatMap((base) => parts!.map((part) => `${base}/${part}`));
}
