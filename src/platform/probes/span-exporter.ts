import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Config, PROCESS_ROLES } from '../../config/config.js';
import { SafeHttp } from '../../lib/http/safe-http.js';
import { RunsIn } from '../processes/roles.js';
import { Metrics } from './metrics.js';

/** A part of a trace of OpenTelemetry. */
export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** Milliseconds since 1970, with fractions. */
  start: number;
  end: number;
  attributes: Readonly<Record<string, string | number>>;
  /** Type of the error, if the work has failed. */
  error?: string;
}

/** Maximum number of spans that wait, and of those sent with a request. */
const MAX_WAITING = 10_000;
const MAX_BATCH = 512;
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 10_000;
/** Time for the last spans of a process that stops. */
const LAST_TIMEOUT_MS = 3_000;
const WARNING_INTERVAL_MS = 60_000;

/**
 * Sends spans to a collector of OpenTelemetry, as JSON over HTTP (OTLP). Spans that cannot be sent are dropped and
 * counted, so that a collector that does not respond slows down nothing.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class SpanExporter implements OnApplicationShutdown {
  /** Whether a collector is configured. Without one, nothing is collected. */
  readonly isEnabled: boolean;
  private readonly log = new Logger(SpanExporter.name);
  private readonly http: SafeHttp;
  private readonly url: string;
  private readonly dropped: Counter;
  private waiting: Span[] = [];
  private timer?: NodeJS.Timeout;
  private sending?: Promise<void>;
  private warnedAt = -Infinity;

  constructor({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config, { registry }: Metrics) {
    this.isEnabled = endpoint !== undefined;
    this.url = `${endpoint?.replace(/\/+$/, '')}/v1/traces`;
    this.http = new SafeHttp({ allowedOrigins: endpoint === undefined ? [] : [endpoint] });
    this.dropped = new Counter({
      name: 'spans_dropped_total',
      help: 'Spans that were not sent to the collector of OpenTelemetry.',
      registers: [registry],
    });
  }

  /** Sends spans later, together with others. */
  add(spans: readonly Span[]): void {
    if (!this.isEnabled) return;
    const taken = spans.slice(0, MAX_WAITING - this.waiting.length);
    this.waiting.push(...taken);
    this.dropped.inc(spans.length - taken.length);
    this.timer ??= setTimeout(() => void this.send(), PAUSE_MS).unref();
  }

  /** Sends the remaining spans. */
  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending;
    await this.send(LAST_TIMEOUT_MS);
  }

  private send(timeoutMs = TIMEOUT_MS): Promise<void> {
    return (this.sending ??= this.sendAll(timeoutMs).finally(() => {
      this.sending = undefined;
      this.timer = undefined;
      if (this.waiting.length > 0) this.add([]);
    }));
  }

  private async sendAll(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (this.waiting.length > 0 && Date.now() < end) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      try {
        const body = JSON.stringify(requestOf(batch));
        const headers = { 'content-type': 'application/json' };
        const { status } = await this.http.request({
          ...{ url: this.url, method: 'POST', headers, body },
          timeoutMs: Math.max(1, end - Date.now()),
        });
        if (status >= 300) throw new Error(`the collector responded ${status}`);
      } catch (error) {
        this.dropped.inc(batch.length);
        this.warn((error as Error).message);
        return;
      }
    }
  }

  private warn(message: string): void {
    if (performance.now() - this.warnedAt < WARNING_INTERVAL_MS) return;
    this.warnedAt = performance.now();
    this.log.warn(`Could not send spans: ${message}`);
  }
}

/** Returns the body of a request (`ExportTraceServiceRequest` of OTLP 1.0, in JSON). */
function requestOf(spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'fieldwright' }) },
        scopeSpans: [{ scope: { name: 'fieldwright' }, spans: spans.map(writtenSpan) }],
      },
    ],
  };
}

/** Value of `SPAN_KIND_INTERNAL` and `STATUS_CODE_ERROR`. */
const INTERNAL = 1;
const ERROR = 2;

const writtenSpan = ({ start, end, attributes, error, ...span }: Span): object => ({
  ...span,
  kind: INTERNAL,
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(end),
  attributes: attributesOf(error === undefined ? attributes : { ...attributes, 'error.type': error }),
  ...(error === undefined ? {} : { status: { code: ERROR } }),
});

const attributesOf = (attributes: Span['attributes']): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    // 64-bit integers are texts in JSON.
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** Nanoseconds are too large for a number. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
