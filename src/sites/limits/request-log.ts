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
import type { Endpoint, Version } from '../versions/version.js';
import { factsText, refusedLine, siteLine, type SiteLogFacts } from './site-line.js';

const STORE_INTERVAL_MS = 1_000;
/** Maximum number of different counts of requests that wait to be stored. */
const MAX_COUNTS = 100_000;
/** Counts of a statement. */
const MAX_BATCH = 5_000;
const MINUTE_MS = 60_000;

/** Site and version that answered a request, and the endpoint. */
export interface Answerer {
  readonly siteName: string;
  readonly version: Pick<Version, 'application' | 'name'>;
  /** `undefined` if no endpoint has matched. */
  endpoint: Pick<Endpoint, 'id' | 'route'> | undefined;
}

/** Properties of requests that are logged, besides their duration. */
export interface Logged {
  readonly series: Histogram.Internal<string>;
  /** What their log lines have in common. */
  readonly facts: string;
}

/** Requests with the same method that the same endpoint of a site has answered with the same status. */
interface Tally extends Logged {
  readonly answer: Omit<AnsweredRequests, 'time' | 'requests'>;
  /** Number of them that is not among the counts yet. */
  requests: number;
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
  /** Tallies by the endpoint, or the version without one, and by the rest as text. */
  private tallies = new WeakMap<object, Map<string, Tally>>();
  private tallyCount = 0;
  /** Tallies of the current minute that have requests. */
  private counted: Tally[] = [];
  /** End of the current minute, in minutes. */
  private minute = 0;
  /** Lines of this turn of the event loop, which are written together. */
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

  /**
   * Counts a request that an experience has answered, and returns its properties for the log. Finding a tally takes less time
   * than making the text by which requests are counted.
   */
  count({ siteName, version, endpoint }: Answerer, method: string, status: number): Logged {
    const minute = Math.ceil(Date.now() / MINUTE_MS);
    if (minute !== this.minute) this.collect();
    this.minute = minute;
    const answerer = endpoint ?? version;
    let tallies = this.tallies.get(answerer);
    if (!tallies) {
      tallies = new Map<string, Tally>();
      this.tallies.set(answerer, tallies);
    }
    const name = `${status} ${method} ${siteName}`;
    let tally = tallies.get(name);
    if (!tally) {
      tallies.set(name, (tally = this.newTally({ siteName, version, endpoint }, method, status)));
      // They are few, but the authors of sites choose statuses.
      if (++this.tallyCount > MAX_COUNTS) {
        this.tallies = new WeakMap();
        this.tallyCount = 0;
      }
    }
    if (tally.requests++ === 0) this.counted.push(tally);
    return tally;
  }

  /** Logs a request with its route instead of its path, which can contain secrets of visitors. */
  write({ series, facts }: Logged, ms: number, aborted: boolean): void {
    series.observe(ms / 1000);
    this.add(siteLine({ facts, ms: Math.round(ms * 10) / 10, aborted }, Date.now()));
  }

  /** Returns the properties for the log of a request that has not been answered by an experience. */
  unanswered(known: SiteLogFacts): Logged {
    return { series: this.seriesOf(known.method, known.status), facts: factsText(known) };
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

  private newTally({ siteName, version, endpoint }: Answerer, method: string, statusCode: number): Tally {
    const { application, name } = version;
    return {
      answer: {
        applicationId: application.id,
        endpointId: endpoint?.id,
        version: name,
        domain: siteName,
        statusCode,
      },
      series: this.seriesOf(method, statusCode),
      facts: factsText({ site: siteName, method, route: endpoint?.route, status: statusCode }),
      requests: 0,
    };
  }

  /** Adds the tallies of the current minute to the counts. */
  private collect(): void {
    const tallies = this.counted;
    this.counted = [];
    const time = new Date(this.minute * MINUTE_MS);
    for (const tally of tallies) {
      const { answer, requests } = tally;
      const { applicationId, endpointId = '', statusCode, domain, version } = answer;
      const key = `${applicationId} ${endpointId} ${statusCode} ${this.minute} ${domain} ${version}`;
      this.requests.add(key, { ...answer, time, requests });
      tally.requests = 0;
    }
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
    this.collect();
    await this.requests.store(MAX_BATCH, (requests) => this.repository.record(requests));
    return false;
  }
}
