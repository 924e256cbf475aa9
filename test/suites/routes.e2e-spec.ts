import { Controller, Get, Post } from '@nestjs/common';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationsOf } from '../../src/openapi/operations.js';
import { Operation } from '../../src/platform/operations/operation.js';
import { Unlisted } from '../../src/platform/server/unlisted.js';
import { Success } from '../../src/platform/fields/shared.schemas.js';
import { contract, CONTRACT_FOLDER, describeContract } from '../contract/contract.js';
import { expressRoutes, faultsOf, nestRoutes, routesOfController, type Route } from '../contract/routes.js';
import { suite } from '../setup/suite.js';

const { test } = suite();
let routes: Route[];

beforeAll(() => {
  routes = nestRoutes(test.app);
});

describe('The routes', () => {
  it('are operations of the document or marked as unlisted', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(faultsOf(routes, expressRoutes(test.app), test.document)).toEqual([]);
  });

  it('are checked by rules that detect each fault', () => {
    const facts = { summary: 's', description: 'd', returns: { 200: Success } };
    @Controller('faulty')
    class FaultyController {
      @Get('bare')
      bare() {}

      @Get('unscoped')
      @Operation('faulty.unscoped', { ...facts, scopes: 'public' })
      unscoped() {}

      @Get('twice')
      @Operation('faulty.twice', { ...facts, scopes: ['all.User'] })
      twice() {}

      @Post('twice')
      @Operation('faulty.twice', { ...facts, scopes: ['all.User'] })
      again() {}

      @Get('health')
      @Unlisted()
      unlisted() {}
    }
    const faulty = routesOfController(FaultyController);
    faulty[1]!.operation = { ...faulty[1]!.operation!, scopes: [], accepts: new Set() };
    const served = [...faulty.map(({ name }) => name), 'GET /hidden', 'GET /docs/x.css'];
    expect(faultsOf(faulty, served, { ...test.document, paths: {} })).toEqual([
      'GET /hidden is served by no controller',
      'GET /faulty/bare has no @Operation',
      'GET /faulty/unscoped asks for no scope',
      'GET /faulty/unscoped is not in the document',
      'GET /faulty/twice is not in the document',
      'POST /faulty/twice and GET /faulty/twice are both faulty.twice',
      'POST /faulty/twice is not in the document',
    ]);
    const elsewhere = { ...test.document, paths: { '/moved': test.document.paths['/me']! } };
    const meRoutes = routes.filter(({ operation }) => operation?.id === 'me.get');
    expect(faultsOf(meRoutes, ['GET /me'], elsewhere)).toContain('GET /me is GET /moved in the document');
  });
});

/** Operations that are not in the contract: device messages, until a broker carries them, and what shows runs. */
const BESIDE: ReadonlySet<string> = new Set([
  'application.debugStream',
  'device.debugStream',
  'embeddedDeployments.bundle',
  'embeddedDeployments.hello',
  'flow.debugStream',
  'flowRun.get',
  'flowRun.replay',
  'flowRun.trace',
  'flowRuns.dropped',
  'flowRuns.get',
]);

describeContract('the contract', () => {
  it('has every operation with the same verb, path and scopes', () => {
    const served = routes.flatMap(({ name, operation, alias }) =>
      operation && !alias && !BESIDE.has(operation.id)
        ? [{ operation: operation.id, name, scopes: [...operation.accepts].sort() }]
        : [],
    );
    expect([...BESIDE].filter((id) => contract!.has(id))).toEqual([]);
    const wanted = served.map(({ operation }) => {
      const { method, path, scopes } = contract!.get(operation) ?? { method: 'absent', path: operation };
      return {
        operation,
        name: `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        scopes: [...(scopes ?? [])].sort(),
      };
    });
    expect(served).toEqual(wanted);
  });

  it('has the same parameters, bodies and responses', () => {
    const { status, stdout } = check();
    expect(stdout).toMatch(/ 0 differences\n$/);
    expect(status).toBe(0);
  });

  it('is compared by a check that detects a difference', () => {
    const changed = structuredClone(test.document) as unknown as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    changed.paths['/me']!.get!['x-scopes'] = ['all.User'];
    expect(check(changed)).toMatchObject({ status: 1, stdout: expect.stringContaining('me.get') });
  });

  /** Runs the contract's own comparison on the document's resources and the served operations. */
  function check(document: object = test.document): { status: number | null; stdout: string } {
    const operations = operationsOf(test.document).map(({ operation }) => operation);
    const resources = [...new Set(operations.map(({ operationId }) => operationId.split('_')[0]!))];
    const ids = new Set(operations.map(({ operationId }) => operationId.replace('_', '.')));
    const absent = [...contract!.keys()].filter(
      (id) => resources.includes(id.split('.')[0]!) && !ids.has(id),
    );
    const except = `^(${[...absent, 'none'].join('|').replaceAll('.', '\\.')})$`;
    const folder = mkdtempSync(join(tmpdir(), 'fieldwright-contract-'));
    try {
      const file = join(folder, 'openapi.json');
      writeFileSync(file, JSON.stringify(document));
      const script = join(CONTRACT_FOLDER, 'check.mjs');
      const parameters = [script, file, '--only', resources.join(','), '--except', except];
      const { status, stdout } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
      return { status, stdout };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
});
