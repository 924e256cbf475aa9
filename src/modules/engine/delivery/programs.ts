import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RunsIn } from '../../../platform/processes/roles.js';
import { compileProgram } from '../../../workflows/engine/compile-program.js';
import type { Actor, ProgramsPort } from '../../../workflows/engine/ports.js';
import type { Program } from '../../../workflows/engine/program.js';
import { ProgramsRepository, type LoadedSource, type VersionId } from './programs.repository.js';

/** Maximum number of compiled versions of workflows, and of characters of their graphs. The least recently used ones are removed. */
const MAX_PROGRAMS = 10_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Compiled versions of workflows. A stamp, which is read with each run, shows whether one is current. */
@Injectable()
@RunsIn('engine')
export class Programs {
  private readonly compiled = new LRUCache<string, { stamp: string; program: Program; size: number }>({
    max: MAX_PROGRAMS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ size }) => size,
  });

  /** Readings under way, by version and stamp. All runs that need the version wait for the same one. */
  private readonly loading = new Map<string, Promise<Program | undefined>>();

  constructor(private readonly repository: ProgramsRepository) {}

  /** Returns the program of a version, or `undefined` if it does not exist. */
  get(
    applicationId: string,
    version: VersionId,
    stamp: string,
  ): Program | undefined | Promise<Program | undefined> {
    return this.current(keyOf(version), stamp, () => this.repository.source(applicationId, version));
  }

  /** Returns a version of a custom node by name, or `undefined` if it does not exist. */
  async customNode(applicationId: string, flowId: string, name: string): Promise<Program | undefined> {
    const found = await this.repository.customNode(applicationId, flowId, name);
    return found && this.get(applicationId, { flowId, ...found }, found.stamp);
  }

  /**
   * Returns a custom node of the instance, compiled for an application, or `undefined` if it does not exist. It has one
   * version, which is both `develop` and `default`.
   */
  async instanceNode(applicationId: string, id: string, name: string): Promise<Program | undefined> {
    if (name !== 'default' && name !== 'develop') return undefined;
    const stamp = await this.repository.instanceNode(applicationId, id);
    if (stamp === undefined) return undefined;
    const load = () => this.repository.instanceSource(applicationId, id);
    return this.current(`${applicationId} ${id}`, stamp, load);
  }

  private current(
    key: string,
    stamp: string,
    load: () => Promise<LoadedSource | undefined>,
  ): Program | undefined | Promise<Program | undefined> {
    const known = this.compiled.get(key);
    if (known?.stamp === stamp) return known.program;
    const id = `${key} ${stamp}`;
    let loading = this.loading.get(id);
    if (!loading) {
      loading = this.load(key, load).finally(() => this.loading.delete(id));
      this.loading.set(id, loading);
    }
    return loading;
  }

  private async load(
    key: string,
    load: () => Promise<LoadedSource | undefined>,
  ): Promise<Program | undefined> {
    const loaded = await load();
    if (!loaded) return undefined;
    const program = compileProgram(loaded.source);
    const size = JSON.stringify(loaded.source.graph).length;
    this.compiled.set(key, { stamp: loaded.stamp, program, size });
    return program;
  }
}

/** The custom nodes of one run. All calls of a run see the same version. */
export class RunPrograms implements ProgramsPort {
  private readonly found = new Map<string, Promise<Program | undefined>>();

  constructor(private readonly programs: Programs) {}

  customNode(
    { applicationId }: Actor,
    id: string,
    version: string,
    isInstance: boolean,
  ): Promise<Program | undefined> {
    const key = `${id} ${version} ${isInstance}`;
    const load = () =>
      isInstance
        ? this.programs.instanceNode(applicationId, id, version)
        : this.programs.customNode(applicationId, id, version);
    const found = this.found.get(key) ?? load();
    this.found.set(key, found);
    return found;
  }
}

const keyOf = ({ flowId, flowVersionId }: VersionId): string => `${flowId} ${flowVersionId ?? ''}`;
