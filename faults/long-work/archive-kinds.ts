import type { Answer } from '../client.js';
import type { RequestedJob, Effect, JobKind } from './requested-job.js';
import { unique, type Field } from './field.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const DEVICES = 8;
/** Range of days, counted back from today, that have points; wider than the range of the archives. */
const [NEWEST_DAY, OLDEST_DAY] = [30, 40];
/** Newest day that a backfill archives. */
const ARCHIVED_DAY = 31;
const RETENTION_DAYS = 60;
const EVENTS = 20;
const TABLE_ROWS = 300;

export const today = (): number => Math.floor(Date.now() / DAY) * DAY;
const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** Returns the days that have points. */
export const daysOfPoints = (): number[] =>
  Array.from({ length: OLDEST_DAY - NEWEST_DAY + 1 }, (_, n) => today() - (OLDEST_DAY - n) * DAY);

/** An archived application whose requester has a unique email address. */
interface Archived {
  id: string;
  email: string;
  deviceIds: string[];
  tableId: string;
  ask(operation: string): Promise<Answer>;
}

/** Points of each device on a day. */
const pointsOf = (day: number): [time: number, value: number][] => [
  [day + HOUR, 1],
  [day + 2 * HOUR, 2],
];

/** Archives of days, of all events and of all data tables. */
export class ArchiveKinds {
  constructor(private readonly field: Field) {}

  get all(): JobKind[] {
    const day = today() - 35 * DAY;
    return [
      this.kind('archive of a day', `archiveData?date=${day + HOUR}`, (of) => daysWanted(of, [day])),
      this.kind('backfill', 'backfillArchiveData', (of) =>
        daysWanted(
          of,
          daysOfPoints().filter((each) => each <= today() - ARCHIVED_DAY * DAY),
        ),
      ),
      this.kind('archive of events', 'fullEventsArchive', () => ['full/events.csv']),
      this.kind('archive of data tables', 'fullDataTablesArchive', (of) => [
        `full/data-tables/${of.tableId}.csv`,
      ]),
    ];
  }

  private kind(name: string, operation: string, wanted: (of: Archived) => string[]): JobKind {
    return {
      name,
      ask: async (): Promise<RequestedJob> => {
        const archived = await this.make();
        const answer = await archived.ask(operation);
        const listener = { email: archived.email };
        return { kind: name, answer, listener, effect: async () => this.effect(archived, wanted(archived)) };
      },
    };
  }

  /** Checks that all expected objects exist and are complete, and that there are no others. */
  private effect(archived: Archived, wanted: readonly string[]): Effect {
    const all = [...this.field.store.in(archived.id)];
    const objects = new Map(all.filter(([key]) => !isOfSilentDay(key)));
    if (objects.size === 0) return { whole: 0 };
    const broken = [...objects].filter((object) => !isWhole(object));
    const missing = wanted.filter((key) => !objects.has(key));
    if (broken.length > 0) return { whole: 0, odd: `${broken[0]![0]} is incomplete` };
    if (objects.size > wanted.length) return { whole: 0, odd: `${objects.size} objects` };
    return { whole: missing.length === 0 ? 1 : 0, isPart: missing.length > 0 };
  }

  private async make(): Promise<Archived> {
    const { field } = this;
    const email = `${unique()}@example.com`;
    const client = field.client.of(await field.user(email));
    const orgId = await field.organization(client);
    const limits = JSON.stringify({ dataTTL: (RETENTION_DAYS * DAY) / 1000 });
    await field.rows('UPDATE orgs SET limits = $2::jsonb WHERE id = $1', [orgId, limits]);
    const id = await field.application(orgId, {}, client);
    await field.rows(
      `UPDATE applications SET creation_date = creation_date - interval '30 days' WHERE id = $1`,
      [id],
    );
    // The daily run archives days without data, which produces only headers.
    const archiveConfig = { s3: field.store.settings, directory: id, delayDays: RETENTION_DAYS - 3 };
    await field.must('PATCH', `/applications/${id}`, { archiveConfig }, client);
    await field.addDevices(id, DEVICES);
    await field.rows(
      `UPDATE devices SET attributes = '[{"name":"n","dataType":"number"}]', attribute_numbers = '{"n":1}' WHERE application_id = $1`,
      [id],
    );
    const points = daysOfPoints().flatMap(pointsOf);
    await field.rows(
      `INSERT INTO device_points (time, number, attribute, application_id, device_id)
       SELECT p.time, p.value, 1, d.application_id, d.id
       FROM devices d, unnest($2::bigint[], $3::float8[]) p (time, value) WHERE d.application_id = $1 ON CONFLICT DO NOTHING`,
      [id, points.map(([time]) => time), points.map(([, value]) => value)],
    );
    const tableId = await field.addTable(id, TABLE_ROWS, client);
    for (let n = 0; n < EVENTS; n++)
      await field.must(
        'POST',
        `/applications/${id}/events`,
        { level: 'info', subject: `Event ${n}` },
        client,
      );
    const devices = await field.rows('SELECT id FROM devices WHERE application_id = $1', [id]);
    const ask = (operation: string) => client.send('GET', `/applications/${id}/${operation}`);
    return { id, email, deviceIds: devices.map(([deviceId]) => deviceId!), tableId, ask };
  }
}

const daysWanted = ({ deviceIds }: Archived, days: readonly number[]): string[] =>
  days.flatMap((day) => deviceIds.map((id) => `${dayText(day)}/${id}.csv`));

/** Whether the object belongs to a day without reports; the daily run and a backfill may both create such objects. */
const isOfSilentDay = (key: string): boolean => Date.parse(key.split('/')[0]!) < today() - OLDEST_DAY * DAY;

/** Whether the object has all of its lines. Device objects are compared by content, others by number of lines. */
function isWhole([key, content]: readonly [string, string]): boolean {
  const lines = content.split('\r\n').filter((line) => line !== '');
  const [folder] = key.split('/') as [string];
  if (key === 'full/events.csv') return lines.length > EVENTS;
  if (folder === 'full') return lines.length > TABLE_ROWS;
  const points = pointsOf(Date.parse(folder));
  const expected = points.map(([time, value]) => `${time},"${new Date(time).toISOString()}",${value}`);
  return lines.join('\n') === ['Timestamp,ISO Date,n', ...expected].join('\n');
}
