import { dispositionHeader } from './blobs.js';

/** Content types that can be sent in a header. */
export const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(;[ -~]*)?$/;
/**
 * Types that browsers display without executing any of the content. SVG and other XML may contain scripts, as does
 * HTML. PDF is saved, because the viewers of browsers do not work in a sandbox, and without one a PDF runs its own
 * scripts.
 */
const DISPLAYABLE_TYPES = /^((audio|image|video)\/(?![\w!#$&^.+-]*(svg|xml))|text\/plain\s*(;|$))/i;

const BINARY_TYPE = 'application/octet-stream';

/** Headers with which uploaded content is served to browsers. */
export interface ContentHeaders {
  contentType: string;
  disposition: string;
}

/**
 * Returns the declared type, with inline display only if the type is harmless. Without a type, the content is binary
 * data to be saved.
 */
export function contentHeaders(fileName: string, contentType = BINARY_TYPE): ContentHeaders {
  const type = MEDIA_TYPE.test(contentType) ? contentType : BINARY_TYPE;
  return {
    contentType: type,
    disposition: dispositionHeader(DISPLAYABLE_TYPES.test(type) ? 'inline' : 'attachment', fileName),
  };
}
