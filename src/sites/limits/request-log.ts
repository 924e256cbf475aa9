import { Injectable, Logger } from '@nestjs/common';
import { Histogram } from 'prom-client';
import {
  EndpointRequestsRepository,
  type AnsweredRequests,
} from '../../modules/experience/experience-endpoints/endpoint-requests.repository.js';
import { LogLines } from '../../platform/server/log.js';
import { PendingCounts } from '../../platform/database/pending-counts.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { Metrics } from '../../platform/probes/metrics.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { refusedLine, siteLine, type SiteLogEntry } from './site-line.js';

const STORE_INTERVAL_MS = 1_000;
/** Maximum number of different counts of requests that wait to be stored. */
const MAX_COUNTS = 100_000;
/** Counts of a statement. */
const MAX_BATCH = 5_000;
const MINUTE_MS = 60_000;

/** Endpoint and version that answered a request. */
export interface Answerer {
  readonly applicationId: string;
  readonly siteName: string;
  readonly version: string;
  /** `undefined` if no endpoint has matched. */
  endpoint: { readonly id: string; readonly route: string } | undefined;
}

/** Counts answered requests in memory, stores the counts every second, and logs each request. */
@Injectable()
@RunsIn('sites')
export class RequestLog extends PeriodicTask {
  private readonly log = new Logger('Site');
  private readonly durations: Histogram;
  /** The series of the histogram by method and status, because finding one takes longer than observing. */
  private readonly series = new Map<string, Histogram.Internal<string>>();
  private readonly requests = new PendingCounts<AnsweredRequests>((known, more) => {
    known.requests += more.requests;
  }, MAX_COUNTS);
  /** Lines of this turn of the event loop, which are logged by one call: for each line, it would take longer than making it. */
  private lines = '';

  constructor(
    private readonly repository: EndpointRequestsRepository,
    { registry }: Metrics,
  ) {
    super(STORE_INTERVAL_MS, 'Could not store the request counts of sites');
    this.durations = new Histogram({
      name: 'site_request_duration_seconds',
      help: 'Time from the head of a request to a site to the end of its response.',
      labelNames: ['method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [registry],
    });
  }

  /** Counts a request that an experience has answered. */
  count({ applicationId, siteName, version, endpoint }: Answerer, statusCode: number): void {
    const time = new Date();
    const minute = Math.floor(time.getTime() / MINUTE_MS);
    this.requests.add([endpoint?.id ?? applicationId, version, siteName, statusCode, minute], {
      applicationId,
      endpointId: endpoint?.id,
      version,
      domain: siteName,
      statusCode,
      time,
      requests: 1,
    });
  }

  /** Logs a request with its route instead of its path, which can contain secrets of visitors. */
  write(entry: SiteLogEntry): void {
    this.seriesOf(entry.method, entry.status).observe(entry.ms / 1000);
    this.add(siteLine(entry, Date.now()));
  }

  /** Logs input that is no request, with the code of the parser. */
  writeRefused(status: number, code: string): void {
    this.add(refusedLine(status, code, Date.now()));
  }

  private add(line: string): void {
    if (this.lines === '') setImmediate(() => this.writeLines());
    this.lines += line;
  }

  private writeLines(): void {
    if (this.lines !== '') this.log.log(new LogLines(this.lines));
    this.lines = '';
  }

  private seriesOf(method: string, status: number): Histogram.Internal<string> {
    const name = `${method} ${status}`;
    let series = this.series.get(name);
    if (!series) this.series.set(name, (series = this.durations.labels({ method, status })));
    return series;
  }

  override async onModuleDestroy(): Promise<void> {
    this.writeLines();
    await super.onModuleDestroy();
    await this.runBatch().catch(() => undefined);
  }

  protected override async runBatch(): Promise<boolean> {
    await this.requests.store(MAX_BATCH, (requests) => this.repository.record(requests));
    return false;
  }
}
