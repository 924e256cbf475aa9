import { ApiError } from '../../lib/errors/errors.js';
import type { EmbeddedHelloPost } from '../../modules/deployments/embedded-modules/embedded-agent.schemas.js';
import { AgentSession } from './agent-session.js';

/** Time after which a module that is being compiled is looked up again, in case the signal was lost. */
const COMPILING_MS = 15_000;

/** A device with an embedded agent, which receives its workflows as a module. */
export class EmbeddedSession extends AgentSession {
  private hello?: EmbeddedHelloPost;
  /** Bundle that was sent, or that cannot be compiled, since the last hello. */
  private settledVersion?: string;

  receive(name: string, payload: Buffer): undefined {
    if (name === 'hello') this.greet(payload);
    else if (name === 'debug') this.services.showDebug(this.grant, payload);
  }

  signalled(): void {
    if (this.hello) this.wake();
  }

  override verify(version: string): void {
    if (version !== this.settledVersion) this.signalled();
  }

  protected async compare(): Promise<void> {
    const { applicationId, deviceId, ownerId } = this.grant;
    const { modules } = this.services;
    const hello = this.hello!;
    try {
      const { desiredBundleVersion: version, state } = await modules.compare(
        applicationId,
        deviceId,
        hello,
        true,
      );
      // Another hello has arrived, with which this is repeated.
      if (hello !== this.hello) return;
      if (state === 'compiling') return this.wakeAfter(COMPILING_MS);
      if (state === 'ready' && version === this.settledVersion) return;
      if (state === 'ready') {
        const module = await modules.module({ id: applicationId, ownerId }, deviceId, version);
        if (!module) return this.wakeAfter(COMPILING_MS);
        // A client that has not subscribed yet receives the module when it has.
        if (this.hasEnded || hello !== this.hello || !this.tell('flows', module.bytes)) return;
      }
      this.settledVersion = version;
    } catch (error) {
      // The deployment or the device may have changed in the meantime, which is signalled.
      if (!(error instanceof ApiError && error.status < 500)) throw error;
    }
  }

  private greet(payload: Buffer): void {
    this.hello = this.services.read(this.grant, 'hello', payload, (value, contract) => {
      contract.checkBody('embeddedDeployments.hello', 'embeddedHello', value);
      return value as EmbeddedHelloPost;
    });
    this.settledVersion = undefined;
    this.signalled();
  }
}
