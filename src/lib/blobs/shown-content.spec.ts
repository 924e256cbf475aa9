import { contentHeaders } from './content-headers.js';

const kindOf = (type?: string) => contentHeaders('a.b', type).disposition.split(';')[0];

it.each([
  'image/png',
  'image/avif',
  'IMAGE/JPEG',
  'audio/mpeg',
  'video/mp4',
  'text/plain',
  'text/plain; charset=utf-8',
])('%s is displayed', (type) => {
  expect(kindOf(type)).toBe('inline');
  expect(contentHeaders('a.b', type).contentType).toBe(type);
});

it.each([
  'image/svg+xml',
  'IMAGE/SVG',
  'image/anything+xml',
  'text/html',
  'text/plainer',
  'text/xml',
  'application/xhtml+xml',
  'application/javascript',
  'application/pdf',
  'application/octet-stream',
  'multipart/x-mixed-replace; boundary=x',
  'message/rfc822',
])('%s is saved with its own type', (type) => {
  expect(kindOf(type)).toBe('attachment');
  expect(contentHeaders('a.b', type).contentType).toBe(type);
});

it.each([
  undefined,
  '',
  'image',
  'image/',
  '/png',
  'image/png\r\nX: y',
  'image/png, text/html',
  ' text/html',
  'bild/ä',
])('%j is not a media type, so the content is saved as binary data', (type) => {
  expect(kindOf(type)).toBe('attachment');
  expect(contentHeaders('a.b', type).contentType).toBe('application/octet-stream');
});
