import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { gzip as compress } from 'node:zlib';
import { promisify } from 'node:util';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { COMPRESSION } from '../../../lib/http/compression.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { Conflict, NotFound } from '../../../lib/errors/errors.js';
import { RESPONSE_SENT, Reply } from '../../../platform/responses/stored-resources.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { INTERFACE_VERSION } from '../../../workflows/embedded/bundle.js';
import { moduleFor } from '../../../workflows/embedded/device-facts.js';
import { EmbeddedBundlesRepository } from '../embedded-deployments/embedded-bundles.repository.js';
import { NO_BUNDLE } from '../embedded-deployments/embedded-deployment.resource.js';
import type { EmbeddedBundleState, EmbeddedHelloPost } from './embedded-agent.schemas.js';
import { EmbeddedModulesRepository } from './embedded-modules.repository.js';
import { readShared } from './module-blobs.js';
import { deviceFactsOf, optionsOf, recipeOf } from './module-metadata.js';

const zipped = promisify(compress);
/** Rate limit of a device for hello messages and bundle requests, per minute. */
export const MAX_REQUESTS = 60;
/** Value of `Retry-After` during compilation. */
const RETRY_AFTER_SECONDS = 2;

/** A module as it is sent to a device, compressed with gzip if the device has asked for it. */
export interface DeviceModule {
  bytes: Buffer;
  isZipped: boolean;
  /** Digest of the module before compression. */
  sha256: string;
}

/** Handles hello messages and bundle requests of devices with embedded workflows. */
@Injectable()
export class EmbeddedAgentService {
  private readonly rate: RateLimit;

  constructor(
    private readonly rows: EmbeddedModulesRepository,
    private readonly bundles: EmbeddedBundlesRepository,
    private readonly config: Config,
    @Inject(BLOBS) private readonly blobs: Blobs,
    limits: RateLimits,
  ) {
    const refusal = 'Too many bundle requests from this device';
    this.rate = limits.limit('embedded:device', { points: MAX_REQUESTS, duration: 60 }, refusal);
  }

  /** Records the running bundle of a device that calls the API. */
  async hello(
    application: ApplicationAccess,
    deviceId: string,
    hello: EmbeddedHelloPost,
  ): Promise<EmbeddedBundleState> {
    await this.admit(application, deviceId);
    return this.compare(application.id, deviceId, hello);
  }

  /**
   * Records the running bundle. If it is not the desired one, requests its compilation. With `sendsEmpty`, a device that
   * is to run no workflow also gets a module, without workflows, because nothing else stops those that it runs.
   */
  async compare(
    applicationId: string,
    deviceId: string,
    { version, bundle, compilerOptions = {} }: EmbeddedHelloPost,
    sendsEmpty = false,
  ): Promise<EmbeddedBundleState> {
    const { gzip = false, ...options } = compilerOptions;
    const desired = await this.bundles.hello(applicationId, deviceId, { bundle, compilerOptions });
    if (!desired) throw new NotFound('Device');
    const { version: desiredBundleVersion, isCurrent } = desired;
    if (desiredBundleVersion === NO_BUNDLE && (isCurrent || !sendsEmpty))
      return { desiredBundleVersion, state: 'none' };
    if (isCurrent) return { desiredBundleVersion, state: 'current' };
    if (majorOf(version) !== majorOf(INTERFACE_VERSION)) {
      const error = `Modules require interface version ${INTERFACE_VERSION} or a later one with the same major version; the device provides ${version}`;
      await this.bundles.failed(applicationId, deviceId, desiredBundleVersion, error);
      await this.rows.cancelRequests(applicationId, deviceId);
      return { desiredBundleVersion, state: 'failed', error };
    }
    const key = {
      applicationId,
      deviceId,
      bundleVersion: desiredBundleVersion,
      recipe: recipeOf(optionsOf(options, this.config.TOPIC_PREFIX)),
    };
    const { status, error } = await this.rows.request(key, gzip);
    if (status === 'failed') return { desiredBundleVersion, state: status, error: error! };
    return { desiredBundleVersion, state: status === 'ready' ? status : 'compiling' };
  }

  /** Responds with the module of a device's desired bundle. */
  async fetch(
    application: ApplicationAccess,
    deviceId: string,
    bundleVersion: string,
    response: Response,
  ): Promise<typeof RESPONSE_SENT | Reply<EmbeddedBundleState>> {
    await this.admit(application, deviceId);
    const module = await this.module(application, deviceId, bundleVersion);
    if (!module) {
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      return new Reply(202, { desiredBundleVersion: bundleVersion, state: 'compiling' });
    }
    response.setHeader('Content-Type', 'application/wasm');
    response.setHeader('Cache-Control', 'private, no-store');
    response.setHeader('ETag', `"${module.sha256}"`);
    if (module.isZipped) response.setHeader('Content-Encoding', 'gzip');
    response.end(module.bytes);
    return RESPONSE_SENT;
  }

  /**
   * Returns the module of a device's desired bundle, or `undefined` while it is compiled. Throws `404` for any other
   * bundle, and `409` if it could not be compiled.
   */
  async module(
    { id: applicationId, ownerId }: Pick<ApplicationAccess, 'id' | 'ownerId'>,
    deviceId: string,
    bundleVersion: string,
  ): Promise<DeviceModule | undefined> {
    const desired = await this.bundles.findDesired(applicationId, deviceId);
    const asked =
      desired?.version === bundleVersion
        ? await this.rows.findLatestRequest(applicationId, { deviceId, bundleVersion })
        : undefined;
    if (!asked) throw new NotFound('Bundle');
    if (asked.status === 'failed') throw new Conflict(`The bundle could not be compiled: ${asked.error}`);
    const { content, facts, recipe, gzip: isZipped } = asked;
    const shared = content === null ? undefined : await readShared(this.blobs, content);
    if (!shared || !facts) {
      const key = { applicationId, deviceId, bundleVersion, recipe };
      if (content !== null) await this.rows.rebuild(key, content);
      return undefined;
    }
    const module = moduleFor(deviceFactsOf(facts), shared);
    const bytes = isZipped ? await COMPRESSION.run(ownerId, () => zipped(module)) : module;
    return { bytes, isZipped, sha256: facts.sha256 };
  }

  /** Peripherals of a gateway use their own connections, so a device can only act for itself. */
  private async admit({ ownDeviceId }: ApplicationAccess, deviceId: string): Promise<void> {
    if (ownDeviceId !== undefined && ownDeviceId !== deviceId) throw new NotFound('Device');
    await this.rate.consume(deviceId);
  }
}

const majorOf = (version: string): string => version.split('.', 1)[0]!;
