import { Injectable } from '@nestjs/common';
import type { Counts } from '../../../platform/counts/counts.js';
import type { Page } from '../../../platform/lists/page.js';
import { notYet } from '../../../platform/not-yet.js';
import { NONBILLABLE_PAYLOADS } from '../../../platform/payloads/payload-types.js';
import { SIZES, SUMMARIZED, type HistoricalSummary } from './historical-summary.resource.js';
import { HistoricalSummariesRepository } from './historical-summaries.repository.js';
import type { UsedResource } from './used-resources.columns.js';
import { monthOf, periodStart, type Span } from './usage-window.js';
import type { HistoricalSummariesQuery } from './usage.query.js';
import { UsageRepository, type HolderPayloads, type UsageSubject } from './usage.repository.js';
import { UsageService, type Steps } from './usage.service.js';

const MEBIBYTE = 1_048_576;
const NONBILLABLE: ReadonlySet<string> = new Set(NONBILLABLE_PAYLOADS);
const KIND_OF = { application: 'application', organization: 'owner', whitelabel: 'instance' } as const;

/** Provides monthly summaries of the resources of an instance. */
@Injectable()
export class HistoricalSummariesService {
  constructor(
    private readonly summaries: HistoricalSummariesRepository,
    private readonly payloads: UsageRepository,
    private readonly usage: UsageService,
  ) {}

  /** Calculates the current month on request; past months are stored. */
  async list(
    instanceId: string,
    { month, list }: HistoricalSummariesQuery,
  ): Promise<Page<HistoricalSummary>> {
    const now = new Date();
    const { start, end } = monthOf(month, now);
    const { items, total } =
      start.getTime() === periodStart(now).getTime()
        ? await this.current(instanceId, { start, end }, list)
        : await this.summaries.pageStored(instanceId, start, list);
    const { page, perPage, sortField, sortDirection, filterField, filter } = list;
    const asked = { page, perPage, sortField, sortDirection, filterField, filter };
    return { items, count: items.length, totalCount: total, ...asked };
  }

  /**
   * Returns the summaries of a month, in the order of the resources, with four statements per type for any number of
   * resources.
   */
  async summariesOf(used: readonly UsedResource[], month: Span): Promise<HistoricalSummary[]> {
    const made = new Map<string, HistoricalSummary>();
    for (const [type, kind] of Object.entries(KIND_OF)) {
      const ofType = used.filter(({ resourceType }) => resourceType === type);
      const of = { kind, ids: ofType.map(({ id }) => id) };
      if (of.ids.length > 0)
        for (const summary of await this.ofKind(ofType, of, month)) made.set(summary.resourceId, summary);
    }
    return used.map(({ id }) => made.get(id)!);
  }

  private async current(instanceId: string, month: Span, list: HistoricalSummariesQuery['list']) {
    const { items, total } = await this.summaries.pageNow(instanceId, list);
    return { items: await this.summariesOf(items, month), total };
  }

  private async ofKind(
    used: readonly UsedResource[],
    of: UsageSubject,
    month: Span,
  ): Promise<HistoricalSummary[]> {
    const [counts, payloads, days] = await Promise.all([
      this.summaries.counts(of),
      this.payloads.holderPayloads(of, month),
      this.usage.deviceDays(of, month),
    ]);
    return used.map((one, i) => ({
      ...identityOf(one, month),
      ...countsOf(counts.get(one.id) ?? {}, of.kind),
      ...devicesOf(days[i]!),
      ...payloadsOf(payloads.filter(({ holderId }) => holderId === one.id)),
      ...notYet('notebooks', { notebookMinutesCount: 0, notebookRunCount: 0 }),
      resourceProration: prorationOf(one.creationDate, month),
    }));
  }
}

const identityOf = ({ id, ...used }: UsedResource, { start, end }: Span) => ({
  resourceId: id,
  resourceType: used.resourceType as HistoricalSummary['resourceType'],
  resourceName: used.resourceName,
  ownerId: used.ownerId ?? undefined,
  ownerType: used.ownerType ?? undefined,
  ownerName: used.ownerName ?? undefined,
  limits: used.limits ?? undefined,
  currentPeriodStart: start,
  currentPeriodEnd: end,
});

/** An instance has no counts of application resources, only of its users. */
function countsOf(counts: Counts, kind: UsageSubject['kind']): Record<string, number> {
  if (kind === 'instance') return { userCount: counts.userCount ?? 0 };
  const shown = Object.entries(SUMMARIZED).filter(
    ([count]) => kind === 'owner' || (count !== 'appCount' && count !== 'memberCount'),
  );
  const mebibytes = (bytes: string) => rounded((counts[bytes] ?? 0) / MEBIBYTE);
  return {
    ...Object.fromEntries(shown.map(([count, [name]]) => [name, counts[count] ?? 0])),
    ...Object.fromEntries(Object.entries(SIZES).map(([bytes, name]) => [name, mebibytes(bytes)])),
  };
}

function devicesOf({ counts }: Steps): { deviceCount: number; deviceCountProrated: number } {
  const totals = counts.map((day) => (day as { total: number }).total);
  const sum = totals.reduce((total, of) => total + of, 0);
  return { deviceCount: totals.at(-1) ?? 0, deviceCountProrated: rounded(sum / Math.max(totals.length, 1)) };
}

function payloadsOf(payloads: readonly HolderPayloads[]) {
  const payloadCountDetails: Record<string, Record<string, number>> = {};
  const payloadSizeDetails: Record<string, Record<string, number>> = {};
  const sums = { billable: { n: 0, bytes: 0 }, nonbillable: { n: 0, bytes: 0 } };
  for (const { type, channel, n, bytes } of payloads) {
    (payloadCountDetails[type] ??= {})[channel] = n;
    (payloadSizeDetails[type] ??= {})[channel] = bytes;
    const sum = sums[NONBILLABLE.has(type) ? 'nonbillable' : 'billable'];
    sum.n += n;
    sum.bytes += bytes;
  }
  return {
    payloadBillableCount: sums.billable.n,
    payloadBillableSizeMb: rounded(sums.billable.bytes / MEBIBYTE),
    payloadNonbillableCount: sums.nonbillable.n,
    payloadNonbillableSizeMb: rounded(sums.nonbillable.bytes / MEBIBYTE),
    payloadCountDetails,
    payloadSizeDetails,
  };
}

/** Returns the fraction of the month, up to now, during which the resource existed. */
function prorationOf(creationDate: Date, { start, end }: Span): number {
  const until = Math.min(end.getTime(), Date.now());
  const from = Math.max(start.getTime(), creationDate.getTime());
  return rounded(Math.max(until - from, 0) / Math.max(until - start.getTime(), 1));
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
