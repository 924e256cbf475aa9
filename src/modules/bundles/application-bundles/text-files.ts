import { Readable } from 'node:stream';
import type { ZippedFile } from '../../../lib/zip/zip.js';

export const streamOfText = (text: string): Readable => Readable.from([Buffer.from(text)]);

/** A file of a bundle that is small enough to be in memory. */
export const fileOfText = (name: string, text: string): ZippedFile => ({ name, content: streamOfText(text) });
