import { Global, Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { ProcessRole } from '../../config/config.js';
import { forRoles, RunsIn } from './roles.js';

const made: string[] = [];

@Injectable()
class Everywhere {}

@RunsIn('worker')
class Loop {
  constructor() {
    made.push(this.constructor.name);
  }
}

@Injectable()
class Retention extends Loop {}

@Injectable()
@RunsIn('api', 'worker')
class Counts extends Loop {}

@Injectable()
@RunsIn('api')
class Listener {}

@Injectable()
class Port {}

@Module({
  providers: [
    Everywhere,
    Retention,
    Counts,
    Listener,
    { provide: Loop, useFactory: () => new Loop() },
    { provide: Port, useClass: Retention },
    { provide: 'name', useValue: 'inner' },
  ],
  exports: [Everywhere, Retention, 'name'],
})
class InnerModule {}

@Global()
@Module({ imports: [InnerModule], exports: [InnerModule] })
class OuterModule {}

@Module({})
class UnchangedModule {}

@Module({})
class RootModule {
  constructor(@Inject('name') readonly name: string) {}
}

const root: DynamicModule = {
  module: RootModule,
  imports: [OuterModule, UnchangedModule],
  providers: [Retention],
};

async function start(...roles: ProcessRole[]) {
  made.length = 0;
  return Test.createTestingModule({ imports: [forRoles(root, new Set(roles))] }).compile();
}

describe('forRoles', () => {
  it('constructs only providers of the roles and those without a role', async () => {
    const api = await start('api');
    for (const type of [Everywhere, Counts, Listener])
      expect(api.get(type, { strict: false })).toBeInstanceOf(type);
    for (const type of [Retention, Loop, Port])
      expect(() => api.get(type, { strict: false })).toThrow(type.name);
    expect(made).toEqual(['Counts']);
  });

  it('constructs providers of any of several roles', async () => {
    const both = await start('api', 'worker');
    for (const type of [Everywhere, Counts, Listener, Retention, Loop]) {
      expect(both.get(type, { strict: false })).toBeInstanceOf(type);
    }
    expect(both.get(Port, { strict: false })).toBeInstanceOf(Retention);
  });

  it('keeps exports, re-exports and the class of a module', async () => {
    const worker = await start('worker');
    const module = worker.get(RootModule, { strict: false });
    expect(module).toBeInstanceOf(RootModule);
    expect(module.name).toBe('inner');
    expect(() => worker.get(Listener, { strict: false })).toThrow('Listener');
  });

  it('returns the same modules if no provider is left out', () => {
    expect(forRoles(root, new Set(['api', 'worker']))).toBe(root);
    const { imports } = forRoles(root, new Set(['api']));
    expect(imports![0]).not.toBe(OuterModule);
    expect(imports![1]).toBe(UnchangedModule);
  });

  it('does not change the modules for other applications', async () => {
    await start('api');
    expect((await start('worker')).get(Retention, { strict: false })).toBeInstanceOf(Retention);
  });
});
