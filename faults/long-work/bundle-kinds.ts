import type { RequestedJob, Effect, JobKind, OutcomeListener } from './requested-job.js';
import { EVERYTHING, hashOf, unique, type Field } from './field.js';
import { Undisturbed } from './undisturbed.js';

/** Size of the source application: enough for an import to take a second or two. */
const DEVICES = 400;
const FILES = 8;
const FILE_BYTES = 128 * 1024;
const TABLE_ROWS = 2_000;
const FLOWS = 5;

/** An application that is exported, cloned and imported, with its bundle. */
export interface Source {
  id: string;
  bundle: Buffer;
}

export async function makeSource(field: Field): Promise<Source> {
  const id = await field.application(await field.organization());
  await field.addDevices(id, DEVICES);
  await field.addTable(id, TABLE_ROWS);
  for (let n = 0; n < FILES; n++) await field.addFile(id, `file-${n}.bin`, FILE_BYTES);
  for (let n = 0; n < FLOWS; n++)
    await field.must('POST', `/applications/${id}/flows`, { name: `Flow ${n}`, enabled: true });
  return { id, bundle: await field.bundleOf(id) };
}

type Ask = Omit<RequestedJob, 'kind'>;

/** Exports, imports, clones and templates. Each result is compared with that of an undisturbed run. */
export class BundleKinds {
  private readonly undisturbed: Undisturbed;

  constructor(
    private readonly field: Field,
    private readonly source: Source,
    private readonly listening: OutcomeListener,
  ) {
    this.undisturbed = new Undisturbed(field);
  }

  get all(): JobKind[] {
    const kinds: [string, () => Promise<Ask>][] = [
      ['export', () => this.export()],
      ['import', () => this.importNew()],
      ['import into', () => this.importInto()],
      ['clone', () => this.clone()],
      ['template', () => this.applyTemplate()],
    ];
    return kinds.map(([name, ask]) => ({ name, ask: async () => ({ kind: name, ...(await ask()) }) }));
  }

  private async export(): Promise<Ask> {
    const { id, bundle } = this.source;
    const asked = await this.listening.ask((told) =>
      this.field.client.send('POST', `/applications/${id}/export`, {
        ...EVERYTHING,
        forceJob: true,
        ...told,
      }),
    );
    const { jobId } = asked.answer.body;
    const effect = async (): Promise<Effect> => {
      const blob = jobId && (await this.field.blob(`exports/${jobId}.zip`));
      if (!blob) return { whole: 0 };
      return hashOf(blob) === hashOf(bundle) ? { whole: 1 } : { whole: 0, odd: 'another bundle' };
    };
    return { ...asked, effect };
  }

  private async importNew(): Promise<Ask> {
    const ownerId = await this.field.organization();
    const asked = await this.listening.ask(({ email, callbackUrl }) =>
      this.field.client.send(
        'POST',
        '/applications/import',
        this.form({ ownerId, ownerType: 'organization', email, options: { forceJob: true, callbackUrl } }),
      ),
    );
    return { ...asked, effect: () => this.made('import', ownerId) };
  }

  private async clone(): Promise<Ask> {
    const ownerId = await this.field.organization();
    const asked = await this.listening.ask((told) =>
      this.field.client.send('POST', `/applications/${this.source.id}/clone`, {
        ...EVERYTHING,
        ownerId,
        ownerType: 'organization',
        forceJob: true,
        ...told,
      }),
    );
    return { ...asked, effect: () => this.made('clone', ownerId) };
  }

  private async importInto(): Promise<Ask> {
    const id = await this.field.application(await this.field.organization(), { name: 'Target' });
    const before = await this.field.hashOf(id);
    const asked = await this.listening.ask(({ email, callbackUrl }) =>
      this.field.client.send(
        'POST',
        `/applications/${id}/import`,
        this.form({ email, options: { forceJob: true, callbackUrl } }),
      ),
    );
    return { ...asked, effect: () => this.undisturbed.added('import into', id, before) };
  }

  private async applyTemplate(): Promise<Ask> {
    const { items } = await this.field.must('GET', '/applicationTemplates?perPage=1');
    const id = await this.field.application(await this.field.organization(), { name: 'Target' });
    const before = await this.field.hashOf(id);
    const path = `/applications/${id}/applyTemplate`;
    const templateId = (items as { id: string }[])[0]!.id;
    const asked = await this.listening.ask((told) =>
      this.field.client.send('PATCH', path, { templateId, ...told }),
    );
    return { ...asked, effect: () => this.undisturbed.added('template', id, before) };
  }

  /** Returns the effect of creating an application for an owner that had none. */
  private async made(kind: string, ownerId: string): Promise<Effect> {
    const rows = await this.field.rows('SELECT id FROM applications WHERE owner_id = $1', [ownerId]);
    let odd: string | undefined;
    for (const [id] of rows)
      if (!(await this.undisturbed.isLike(kind, id!))) odd = `incomplete application ${id}`;
    return { whole: rows.length, odd };
  }

  private form(fields: Readonly<Record<string, unknown>>): FormData {
    const form = new FormData();
    form.append('importBundle', new Blob([new Uint8Array(this.source.bundle)]), `${unique()}.zip`);
    for (const [name, value] of Object.entries(fields))
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
    return form;
  }
}
