import { Readable } from 'node:stream';
import type { ZippedFile } from '../../../lib/zip/zip.js';

export const streamOfText = (text: string): Readable => Readable.from([Buffer.from(text)]);

/** Creates a bundle file from a text that fits in memory. */
export const fileOfText = (name: string, text: string): ZippedFile => ({ name, content: streamOfText(text) });
