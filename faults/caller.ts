import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';
import type { Changed, Ledger, Received, Reported } from './ledger.js';

const PAUSE_MS = 15;
const CHANGES_PER_RESOURCE = 20;
/** Kept small because each response lists all of them. */
const INVITATIONS_PER_ORG = 50;

/** Spreads reports over hours, each of which is aggregated. */
const REPORTED_EVERY_MS = 61_000;
const REPORTED_SINCE_MS = 20 * 86_400_000;

const unique = (): string => randomBytes(8).toString('hex');

/**
 * A client that creates, changes and deletes applications, calls webhooks, invites users and reports device data, and
 * records every response.
 */
export class Caller {
  private change?: Changed;
  private webhook?: Received & { path: string };
  private org?: { path: string; invitations: number };
  private device?: Reported & { path: string; start: number };

  constructor(
    private readonly client: Client,
    private readonly ledger: Ledger,
  ) {}

  async callUntil(end: number): Promise<void> {
    const deeds = [
      () => this.create(),
      () => this.patch(),
      () => this.post(),
      () => this.invite(),
      () => this.report(),
    ];
    for (let turn = 0; Date.now() < end; turn++) {
      await deeds[turn % deeds.length]!();
      await sleep(PAUSE_MS);
    }
  }

  private async create(): Promise<void> {
    const name = unique();
    const { outcome, body } = await this.client.send('POST', '/applications', { name });
    const id = body.id as string | undefined;
    this.ledger.creations.push({ name, outcome, id });
    if (outcome !== 'done' || this.ledger.creations.length % 4) return;
    const deletion = await this.client.send('DELETE', `/applications/${id}`);
    this.ledger.deletions.push({ name, outcome: deletion.outcome, id });
  }

  private async patch(): Promise<void> {
    if (!this.change || this.change.acknowledged % CHANGES_PER_RESOURCE === CHANGES_PER_RESOURCE - 1) {
      const { outcome, body } = await this.client.send('POST', '/applications', { name: unique() });
      if (outcome !== 'done') return;
      this.change = { id: body.id as string, acknowledged: 0, last: '', unknown: new Set() };
      this.ledger.changes.push(this.change);
    }
    const { change } = this;
    const description = unique();
    const { outcome } = await this.client.send('PATCH', `/applications/${change.id}`, { description });
    if (outcome === 'done')
      Object.assign(change, { last: description, acknowledged: change.acknowledged + 1 });
    if (outcome === 'unknown') change.unknown.add(description);
  }

  private async post(): Promise<void> {
    this.webhook ??= await this.makeWebhook();
    const { webhook } = this;
    if (!webhook) return;
    const { outcome } = await this.client.send('POST', webhook.path, { n: unique() });
    if (outcome === 'done') webhook.acknowledged++;
    if (outcome !== 'unknown') return;
    webhook.unknown++;
    this.webhook = undefined;
  }

  private async makeWebhook(): Promise<(Received & { path: string }) | undefined> {
    const application = await this.client.send('POST', '/applications', { name: unique() });
    if (application.outcome !== 'done') return undefined;
    const path = `/applications/${application.body.id as string}`;
    const webhook = await this.client.send('POST', `${path}/webhooks`, { name: unique() });
    if (webhook.outcome !== 'done') return undefined;
    const triggers = [{ type: 'webhook', key: webhook.body.id }];
    const flow = await this.client.send('POST', `${path}/flows`, { name: unique(), triggers });
    if (flow.outcome !== 'done') return undefined;
    const address = `/webhooks/${webhook.body.token as string}`;
    const made = { flowId: flow.body.id as string, acknowledged: 0, unknown: 0, path: address };
    this.ledger.webhooks.push(made);
    return made;
  }

  private async report(): Promise<void> {
    this.device ??= await this.makeDevice();
    const { device } = this;
    if (!device) return;
    const n = device.acknowledged.length + device.unknown.length + 1;
    const state = { data: { n }, time: device.start + n * REPORTED_EVERY_MS };
    const { outcome } = await this.client.send('POST', device.path, state);
    if (outcome !== 'refused') device[outcome === 'done' ? 'acknowledged' : 'unknown'].push(n);
  }

  private async makeDevice(): Promise<(Reported & { path: string; start: number }) | undefined> {
    const application = await this.client.send('POST', '/applications', { name: unique() });
    if (application.outcome !== 'done') return undefined;
    const devices = `/applications/${application.body.id as string}/devices`;
    const attributes = [{ name: 'n', dataType: 'number' }];
    const device = await this.client.send('POST', devices, { name: unique(), attributes });
    if (device.outcome !== 'done') return undefined;
    const deviceId = device.body.id as string;
    const path = `${devices}/${deviceId}/state`;
    const made = { deviceId, acknowledged: [], unknown: [], path, start: Date.now() - REPORTED_SINCE_MS };
    this.ledger.reports.push(made);
    return made;
  }

  private async invite(): Promise<void> {
    if (!this.org || this.org.invitations === INVITATIONS_PER_ORG) {
      const { outcome, body } = await this.client.send('POST', '/orgs', { name: unique() });
      if (outcome !== 'done') return;
      this.org = { path: `/orgs/${body.id as string}/invites`, invitations: 0 };
    }
    const email = `${unique()}@example.com`;
    const { outcome } = await this.client.send('POST', this.org.path, { email, role: 'view' });
    this.org.invitations++;
    this.ledger.invitations.push({ name: email, outcome });
  }
}
