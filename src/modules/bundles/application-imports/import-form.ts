import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { Uploads } from '../../../platform/blobs/uploads.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { CONTRACT } from '../../../platform/responses/body.guard.js';
import type { Contract } from '../../../platform/responses/contract.js';
import { inspect } from '../../../platform/server/read-body.js';

export const MOST_BUNDLE_BYTES = 256 * 1024 ** 2;
/** How long a bundle is kept: a day for the form to come, and for the job. */
const KEPT_SECONDS = 3 * 24 * 60 * 60;

/** What a form says. */
export interface ImportForm<Options> {
  /** The blob of its bundle, where it had one. */
  bundleKey?: string;
  fields: ReadonlyMap<string, string>;
  options: Options;
}

/** Receives the forms of imports: the bundle is stored as it comes, whatever comes before or after it. */
@Injectable()
export class ImportForms {
  constructor(
    private readonly uploads: Uploads,
    private readonly temporary: TemporaryBlobs,
    private readonly database: Database,
    @Inject(CONTRACT) private readonly contract: { current: Contract },
  ) {}

  /**
   * Does something with the form that a request brings, whose fields have to be among `known`; `schema` is what its options have to
   * be. Nothing stays of the bundle of a form that is refused.
   */
  async use<Options, T>(
    request: Request,
    known: readonly string[],
    schema: string,
    work: (form: ImportForm<Options>) => Promise<T>,
  ): Promise<T> {
    const key = `imports/${newId()}.zip`;
    const { fields, hasFile } = await this.uploads.receiveForm(request, 'importBundle', async () => {
      // Known before it comes: nothing is left of one that breaks off.
      await this.temporary.expect(key, KEPT_SECONDS, this.database);
      return { key, bytes: { least: 0, most: MOST_BUNDLE_BYTES } };
    });
    try {
      checkFields(fields, known);
      const options = this.optionsOf(fields.get('options'), schema) as Options;
      return await work({ ...(hasFile ? { bundleKey: key } : {}), fields, options });
    } catch (error) {
      // What is not removed now is gone in some days.
      if (hasFile) await this.temporary.discard(key).catch(() => undefined);
      throw error;
    }
  }

  private optionsOf(json: string | undefined, schema: string): unknown {
    const options = json === undefined || json.trim() === '' ? {} : parsed(json);
    inspect(options, 'options');
    this.contract.current.checkComponent(schema, 'options', options);
    return options;
  }
}

function checkFields(fields: ReadonlyMap<string, string>, known: readonly string[]): void {
  const names = new Set(known.map((name) => name.toLowerCase()));
  for (const [name, value] of fields) {
    if (!names.has(name)) throw new ValidationError(`${name.slice(0, 64)} is no field of the form`);
    inspect(value, name);
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new ValidationError('options must be JSON');
  }
}

/** A yes or no of a form; absent or blank is neither. */
export function choiceOf(fields: ReadonlyMap<string, string>, name: string): boolean | undefined {
  const value = fields.get(name.toLowerCase())?.trim().toLowerCase();
  if (value === undefined || value === '') return undefined;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new ValidationError(`${name} must be true or false`);
}
