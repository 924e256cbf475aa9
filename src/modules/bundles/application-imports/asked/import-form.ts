import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TemporaryBlobs } from '../../../../platform/blobs/temporary-blobs.js';
import { Uploads } from '../../../../platform/blobs/uploads.js';
import { Database } from '../../../../platform/database/database.js';
import { ValidationError } from '../../../../lib/errors/errors.js';
import { newId } from '../../../../platform/repositories/resource.js';
import { CONTRACT } from '../../../../platform/responses/body.guard.js';
import type { Contract } from '../../../../platform/responses/contract.js';
import { inspect } from '../../../../platform/server/read-body.js';

export const MAX_BUNDLE_BYTES = 256 * 1024 ** 2;
/** Lifetime of an uploaded bundle: a day for the upload, the rest for the job. */
const LIFETIME_SECONDS = 3 * 24 * 60 * 60;

/** Parsed multipart form of an import. */
export interface ImportForm<Options> {
  /** Key of the blob with the uploaded bundle, if any. */
  bundleKey?: string;
  fields: ReadonlyMap<string, string>;
  options: Options;
}

/** Receives import forms. The bundle is streamed to a blob, whether fields precede or follow it. */
@Injectable()
export class ImportForms {
  constructor(
    private readonly uploads: Uploads,
    private readonly temporary: TemporaryBlobs,
    private readonly database: Database,
    @Inject(CONTRACT) private readonly contract: { current: Contract },
  ) {}

  /**
   * Calls `work` with the form of a request. Field names must be in `known`; `options` must match `schema`. If the form
   * is rejected, its bundle is deleted.
   */
  async use<Options, T>(
    request: Request,
    known: readonly string[],
    schema: string,
    work: (form: ImportForm<Options>) => Promise<T>,
  ): Promise<T> {
    const key = `imports/${newId()}.zip`;
    const { fields, hasFile } = await this.uploads.receiveForm(request, 'importBundle', async () => {
      // Registered before the upload, so that an aborted upload is cleaned up.
      await this.temporary.expect(key, LIFETIME_SECONDS, this.database);
      return { key, bytes: { least: 0, most: MAX_BUNDLE_BYTES } };
    });
    try {
      checkFields(fields, known);
      const options = this.optionsOf(fields.get('options'), schema) as Options;
      return await work({ ...(hasFile ? { bundleKey: key } : {}), fields, options });
    } catch (error) {
      // A blob that cannot be deleted now expires after a few days.
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
    if (!names.has(name)) throw new ValidationError(`${name.slice(0, 64)} is not a field of the form`);
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

/** Parses a boolean form field. Returns `undefined` if it is absent or blank. */
export function choiceOf(fields: ReadonlyMap<string, string>, name: string): boolean | undefined {
  const value = fields.get(name.toLowerCase())?.trim().toLowerCase();
  if (value === undefined || value === '') return undefined;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new ValidationError(`${name} must be true or false`);
}
