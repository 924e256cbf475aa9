import { dispositionHeader } from './blobs.js';

/** What can go out as the type of a content. */
export const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(;[ -~]*)?$/;
/**
 * What browsers show without running any of it. SVG and other XML may hold scripts, as HTML does. PDF is saved, since the
 * viewers of browsers do not work in a sandbox, and without one a PDF runs its own scripts.
 */
const SHOWN = /^((audio|image|video)\/(?![\w!#$&^.+-]*(svg|xml))|text\/plain\s*(;|$))/i;

const BYTES = 'application/octet-stream';

/** How content of callers is given to browsers. */
export interface ShownContent {
  contentType: string;
  disposition: string;
}

/** As its uploader says it is, and shown in place only where that is harmless; without a type it is bytes to be saved. */
export function shownContent(fileName: string, contentType = BYTES): ShownContent {
  const type = MEDIA_TYPE.test(contentType) ? contentType : BYTES;
  return {
    contentType: type,
    disposition: dispositionHeader(SHOWN.test(type) ? 'inline' : 'attachment', fileName),
  };
}
