/** Headers that describe the connection or the length of a body, which the server sets. */
export const HEADERS_OF_SERVER: readonly string[] = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** Anything that could end a header, or that HTTP cannot carry. */
const UNSAFE = /[^\t\x20-\x7e\x80-\xff]/;

/** Whether a text can be the name of a header or a cookie. */
export const isHeaderName = (text: string): boolean => TOKEN.test(text);

/** Whether a text can be the value of a header. */
export const isHeaderValue = (text: string): boolean => !UNSAFE.test(text);
