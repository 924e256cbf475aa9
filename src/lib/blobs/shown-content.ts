import { dispositionHeader } from './blobs.js';

/** Content types that can be sent in a header. */
export const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(;[ -~]*)?$/;
/**
 * Types that browsers display without executing any of the content. SVG and other XML may contain scripts, as does
 * HTML. PDF is saved, because the viewers of browsers do not work in a sandbox, and without one a PDF runs its own
 * scripts.
 */
const SHOWN = /^((audio|image|video)\/(?![\w!#$&^.+-]*(svg|xml))|text\/plain\s*(;|$))/i;

const BYTES = 'application/octet-stream';

/** Headers with which uploaded content is served to browsers. */
export interface ShownContent {
  contentType: string;
  disposition: string;
}

/**
 * Returns the declared type, with inline display only if the type is harmless. Without a type, the content is binary
 * data to be saved.
 */
export function shownContent(fileName: string, contentType = BYTES): ShownContent {
  const type = MEDIA_TYPE.test(contentType) ? contentType : BYTES;
  return {
    contentType: type,
    disposition: dispositionHeader(SHOWN.test(type) ? 'inline' : 'attachment', fileName),
  };
}
