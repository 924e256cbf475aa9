import { Injectable } from '@nestjs/common';
import { dailyCountsSql } from '../../../platform/counts/daily-counts.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import {
  ofApplication,
  ofDevice,
  ofInstance,
  ofOwner,
  type PayloadHolder,
} from '../../../platform/payloads/payload-counts.js';
import { NONBILLABLE_PAYLOADS } from '../../../platform/payloads/payload-types.js';
import type { Part, Span } from './usage-window.js';
import { DEVICE_PAYLOADS } from './usage.schemas.js';

/** Resources whose usage is requested; an owner is a user or an organization. */
export interface UsageSubject {
  kind: 'application' | 'owner' | 'instance';
  ids: readonly string[];
}

/** Payload counts of a type and channel. */
export interface CountedPayloads {
  type: string;
  channel: string;
  n: number;
  bytes: number;
}

/** Payload count of a device by type. */
export interface DevicePayloads {
  deviceId: string;
  type: string;
  n: number;
}

/** Payload counts of a resource in one step. */
export interface PayloadStep {
  holderId: string;
  start: Date;
  n: number;
  bytes: number;
}

/** Payload counts of a resource by type and channel. */
export interface HolderPayloads extends CountedPayloads {
  holderId: string;
}

/** Payload counts of a resource on one day. */
export interface PayloadDay {
  holderId: string;
  day: Date;
  billable: number;
  billableBytes: number;
  nonbillable: number;
  nonbillableBytes: number;
}

/** Devices created and deleted on a day; if `day` is `null`, `added` is the number that existed before. */
export interface DailyChange {
  holderId: string;
  day: Date | null;
  added: number;
  removed: number;
}

/**
 * Reads the sums of the parts from `$2` to `$4`, and payloads from `$5` to `$6` that have not been added to the sums
 * yet.
 */
const totalsOf = ({ sums, deltas }: PayloadHolder) => `
  SELECT p.type, p.channel, sum(p.n) AS n, sum(p.bytes) AS bytes FROM (
    SELECT s.type, s.channel, s.n, s.bytes
    FROM unnest($2::smallint[], $3::timestamptz[], $4::timestamptz[]) part (hours, start, until) JOIN LATERAL (
      SELECT s.* FROM ${sums} AND s.hours = part.hours AND s.start >= part.start AND s.start < part.until OFFSET 0) s ON true
    UNION ALL SELECT d.type, d.channel, d.n, d.bytes FROM ${deltas} AND d.time >= $5 AND d.time < $6) p
  GROUP BY p.type, p.channel`;
const TOTALS = {
  application: totalsOf(ofApplication('$1')),
  owner: totalsOf(ofOwner('$1')),
  instance: totalsOf(ofInstance('$1')),
};

/** For each of the devices `$7` of the application `$1`, in the same time range, payloads of the types `$8`. */
const { sums: DEVICE_SUMS, deltas: DEVICE_DELTAS } = ofDevice('$1', 'h.id');
const DEVICE_TOTALS = `
  SELECT h.id AS device_id, p.type, sum(p.n) AS n FROM unnest($7::text[]) h (id) CROSS JOIN LATERAL (
    SELECT s.type, s.n
    FROM unnest($2::smallint[], $3::timestamptz[], $4::timestamptz[]) part (hours, start, until) JOIN LATERAL (
      SELECT s.* FROM ${DEVICE_SUMS} AND s.hours = part.hours AND s.start >= part.start AND s.start < part.until OFFSET 0) s ON true
    UNION ALL SELECT d.type, d.n FROM ${DEVICE_DELTAS} AND d.time >= $5 AND d.time < $6) p
  WHERE p.type = ANY($8) GROUP BY h.id, p.type`;

/** For each of the holders `$1`, the steps of `$2` hours from `$3` to `$4`, without payloads of the types `$5`. */
const stepsOf = ({ sums, deltas }: PayloadHolder) => `
  SELECT h.id AS holder_id, p.start, sum(p.n) AS n, sum(p.bytes) AS bytes FROM unnest($1::text[]) h (id) CROSS JOIN LATERAL (
    SELECT s.start, s.type, s.n, s.bytes FROM ${sums} AND s.hours = $2 AND s.start >= $3 AND s.start < $4
    UNION ALL SELECT date_trunc(CASE $2 WHEN 1 THEN 'hour' ELSE 'day' END, d.time, 'UTC'), d.type, d.n, d.bytes
    FROM ${deltas} AND d.time >= $3 AND d.time < $4) p
  WHERE p.type <> ALL($5) GROUP BY h.id, p.start`;
const STEPS = {
  application: stepsOf(ofApplication('h.id')),
  device: stepsOf(ofDevice('h.id', '$6')),
  owner: stepsOf(ofOwner('h.id')),
  instance: stepsOf(ofInstance('h.id')),
};

/** For each of the holders `$1`, the payloads of the days from `$2` to `$3`. */
const daysOf = ({ sums, deltas }: PayloadHolder, columns: string, by: string) => `
  SELECT h.id AS holder_id, ${columns} FROM unnest($1::text[]) h (id) CROSS JOIN LATERAL (
    SELECT s.start, s.type, s.channel, s.n, s.bytes FROM ${sums} AND s.hours = 24 AND s.start >= $2 AND s.start < $3
    UNION ALL SELECT date_trunc('day', d.time, 'UTC'), d.type, d.channel, d.n, d.bytes
    FROM ${deltas} AND d.time >= $2 AND d.time < $3) p
  GROUP BY h.id, ${by}`;
const payloadsOfHolder = (holder: PayloadHolder) =>
  daysOf(holder, 'p.type, p.channel, sum(p.n) AS n, sum(p.bytes) AS bytes', 'p.type, p.channel');
const HOLDER_PAYLOADS = {
  application: payloadsOfHolder(ofApplication('h.id')),
  owner: payloadsOfHolder(ofOwner('h.id')),
  instance: payloadsOfHolder(ofInstance('h.id')),
};
const sumOf = (column: string, test: string) =>
  `coalesce(sum(p.${column}) FILTER (WHERE p.type ${test} ($4)), 0)`;
const billedBy = (holder: PayloadHolder) =>
  daysOf(
    holder,
    `p.start AS day, ${sumOf('n', '<> ALL')} AS billable, ${sumOf('bytes', '<> ALL')} AS billable_bytes,
      ${sumOf('n', '= ANY')} AS nonbillable, ${sumOf('bytes', '= ANY')} AS nonbillable_bytes`,
    'p.start',
  );
const BILLED = { application: billedBy(ofApplication('h.id')), owner: billedBy(ofOwner('h.id')) };

const DAYS = {
  application: dailyCountsSql('application'),
  owner: dailyCountsSql('owner'),
  instance: dailyCountsSql('instance'),
};

/** Reads usage from stored sums, and from counts that have not been added to the sums yet. */
@Injectable()
export class UsageRepository {
  constructor(private readonly database: Database) {}

  /** Returns the payload counts of a time range. */
  payloads({ kind, ids }: UsageSubject, span: Span, parts: readonly Part[]): Promise<CountedPayloads[]> {
    return this.database.rows(prepared(TOTALS[kind], [ids[0], ...valuesOf(span, parts)]));
  }

  /** Returns the payload counts of devices of an application within a time range, by type. */
  devicePayloads(
    applicationId: string,
    ids: readonly string[],
    span: Span,
    parts: readonly Part[],
  ): Promise<DevicePayloads[]> {
    const values = [applicationId, ...valuesOf(span, parts), ids, DEVICE_PAYLOADS];
    return this.database.rows(prepared(DEVICE_TOTALS, values));
  }

  /** Returns the steps with payloads, without types in `except`. */
  payloadSteps(
    { kind, ids }: UsageSubject,
    { start, end }: Span,
    hours: 1 | 24,
    except: readonly string[],
  ): Promise<PayloadStep[]> {
    return this.database.rows(prepared(STEPS[kind], [ids, hours, start, end, except]));
  }

  /** Returns the steps with payloads of a device. */
  devicePayloadSteps(
    applicationId: string,
    deviceId: string,
    { start, end }: Span,
    hours: 1 | 24,
    except: readonly string[],
  ): Promise<PayloadStep[]> {
    const values = [[applicationId], hours, start, end, except, deviceId];
    return this.database.rows(prepared(STEPS.device, values));
  }

  /** Returns the payload counts of each resource over whole days, by type and channel. */
  holderPayloads({ kind, ids }: UsageSubject, { start, end }: Span): Promise<HolderPayloads[]> {
    return this.database.rows(prepared(HOLDER_PAYLOADS[kind], [ids, start, end]));
  }

  /** Returns the days with payloads, with separate counts for billable and non-billable ones. */
  payloadDays(
    { kind, ids }: UsageSubject & { kind: keyof typeof BILLED },
    { start, end }: Span,
  ): Promise<PayloadDay[]> {
    return this.database.rows(prepared(BILLED[kind], [ids, start, end, NONBILLABLE_PAYLOADS]));
  }

  /** Returns the days on which devices were created or deleted. */
  deviceDays({ kind, ids }: UsageSubject, { start, end }: Span): Promise<DailyChange[]> {
    return this.database.rows(prepared(DAYS[kind], [ids, 'deviceCount', start, end]));
  }
}

const valuesOf = ({ start, end }: Span, parts: readonly Part[]): unknown[] => [
  parts.map(({ hours }) => hours),
  parts.map((part) => part.start),
  parts.map((part) => part.end),
  start,
  end,
];
