import {
  SetMetadata,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import type { ProcessRole } from '../../config/config.js';

const RUNS_IN = 'processes:runsIn';

/**
 * Limits a provider to processes that have at least one of `roles`. Providers without this decorator run in every
 * process. Subclasses inherit the roles and can declare their own.
 */
export const RunsIn = (...roles: ProcessRole[]): ClassDecorator => SetMetadata(RUNS_IN, roles);

/**
 * Returns a module tree without the providers of other roles, so that they are neither constructed nor started. Modules
 * that do not change are used as they are; the others are replaced by subclasses, because module classes are shared by
 * all applications of a process. Modules given as promises or forward references are not searched.
 */
export function forRoles(root: DynamicModule, roles: ReadonlySet<ProcessRole>): DynamicModule {
  const visited = new Map<unknown, unknown>();

  const visit = <M>(module: M): M => {
    if (!visited.has(module)) visited.set(module, limitModule(module));
    return visited.get(module) as M;
  };

  const limitModule = (module: unknown): unknown => {
    if (typeof module === 'function') return limitClass(module as Type);
    return isDynamic(module) ? limitDynamic(module) : module;
  };

  const limitClass = (type: Type): Type => {
    const declared = declaredBy(type);
    const limited = limit(declared);
    if (isSame(declared, limited)) return type;
    const copy = class extends type {};
    Object.defineProperty(copy, 'name', { value: type.name });
    for (const [key, list] of Object.entries(limited)) Reflect.defineMetadata(key, list, copy);
    return copy;
  };

  const limitDynamic = (dynamic: DynamicModule): DynamicModule => {
    const module = visit(dynamic.module);
    const limited = limit(dynamic);
    return module === dynamic.module && isSame(dynamic, limited)
      ? dynamic
      : { ...dynamic, module, ...limited };
  };

  /** Imports come first, because exports refer to them. */
  const limit = ({ imports = [], providers = [], exports = [] }: ModuleMetadata): Limited => ({
    imports: imports.map(visit),
    providers: providers.filter((provider) => runsIn(provider, roles)),
    exports: exports
      .filter((exported) => typeof exported !== 'function' || runsIn(exported as Type, roles))
      .map((exported) => (visited.get(exported) as typeof exported | undefined) ?? exported),
  });

  return visit(root);
}

type Limited = Required<Pick<ModuleMetadata, 'imports' | 'providers' | 'exports'>>;

function isDynamic(module: unknown): module is DynamicModule {
  return typeof module === 'object' && module !== null && 'module' in module;
}

function declaredBy(type: Type): ModuleMetadata {
  const list = (key: keyof Limited): never => Reflect.getMetadata(key, type) as never;
  return { imports: list('imports'), providers: list('providers'), exports: list('exports') };
}

function isSame(declared: ModuleMetadata, limited: Limited): boolean {
  return (Object.keys(limited) as (keyof Limited)[]).every((key) => {
    const before = declared[key] ?? [];
    return before.length === limited[key].length && before.every((item, at) => item === limited[key][at]);
  });
}

/** A provider that is not a class has the roles of the class that it provides. */
function runsIn(provider: Provider, roles: ReadonlySet<ProcessRole>): boolean {
  const type =
    typeof provider === 'function' ? provider : 'useClass' in provider ? provider.useClass : provider.provide;
  const declared =
    typeof type === 'function'
      ? (Reflect.getMetadata(RUNS_IN, type) as ProcessRole[] | undefined)
      : undefined;
  return !declared || declared.some((role) => roles.has(role));
}
