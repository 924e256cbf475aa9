import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../../test/doubles/chromium.js';
import { uniqueName } from '../../../test/make/make.js';
import { suite } from '../../../test/setup/suite.js';
import { reachable } from '../../../test/make/upload-forms.js';
import { BLOBS, type Blobs, type UploadForm } from '../../lib/blobs/blobs.js';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SCRIPT = '<script>document.title = "it ran"; top.postMessage("it ran", "*")</script>';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`;
/** JavaScript of the test page: sends the selected file with an upload form. */
const SEND = `({ url, fields }) => new Promise((resolve) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', document.querySelector('input').files[0]);
  const request = new XMLHttpRequest();
  let sent = 0;
  request.upload.onprogress = ({ loaded }) => (sent = loaded);
  request.onloadend = () =>
    resolve({ status: request.status, etag: request.getResponseHeader('ETag'), hasSent: sent > 0 });
  request.open('POST', url);
  request.send(body);
})`;
const FILE = { name: 'größe "1".txt', mimeType: 'text/html', buffer: Buffer.from('content – 内容') };

describeInChromium('A browser', (newPage) => {
  const { test } = suite();
  let blobs: Blobs;
  let key: string;
  let page: Page;
  /** HTML of the page on another origin. */
  let html: string;
  let elsewhere: Server;
  let address: string;

  beforeAll(async () => {
    blobs = test.app.get<Blobs>(BLOBS);
    elsewhere = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(html);
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  });
  afterAll(() => new Promise((resolve) => elsewhere.close(resolve)));
  beforeEach(async () => {
    key = `files/${uniqueName()}/content`;
    page = await newPage();
  });

  const kept = async () => (await buffer(await blobs.read(key))).toString();
  const form = async () => {
    const bytes = { least: 0, most: 1_000 };
    return reachable(await blobs.uploadForm(key, { contentType: 'text/plain', bytes, expiresIn: 60 }), test);
  };
  const fieldsOf = ({ fields }: UploadForm) =>
    Object.entries(fields)
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
      .join('');
  const open = async (content: string) => {
    html = `<!doctype html><title>elsewhere</title><body>${content}`;
    await page.goto(address);
  };
  /** Returns the URL of content that was uploaded with this content type. */
  const linkTo = async (content: string | Buffer, contentType: string) => {
    await blobs.put(key, Buffer.from(content), { contentType });
    const url = await blobs.downloadUrl(key, { expiresIn: 60, fileName: 'a.file', contentType });
    return url.replace(test.config.publicUrl, test.client.url);
  };

  it('uploads with an HTML form', async () => {
    const made = await form();
    await open(
      `<form method="post" enctype="multipart/form-data" action="${made.url}">${fieldsOf(made)}
        <input type="file" name="file"><button>Send</button></form>`,
    );
    await page.locator('input[type=file]').setInputFiles(FILE);
    const answer = page.waitForResponse(made.url);
    await page.locator('button').click();
    expect((await answer).status()).toBe(204);
    expect(await kept()).toBe('content – 内容');
  });

  it('uploads from a page on another origin, which can read the progress and the ETag', async () => {
    const made = await form();
    await open('<input type="file">');
    await page.locator('input').setInputFiles(FILE);
    const told = await page.evaluate(`(${SEND})(${JSON.stringify(made)})`);
    expect(told).toEqual({ status: 204, etag: expect.stringMatching(/^"[\da-f]{32}"$/), hasSent: true });
    expect(await kept()).toBe('content – 内容');
  });

  it('displays an image, both in a page on another origin and directly', async () => {
    const link = await linkTo(PIXEL, 'image/png');
    const width = () =>
      page.locator('img').evaluate(({ naturalWidth }: { naturalWidth?: number }) => naturalWidth);
    await open(`<img src="${link.replaceAll('&', '&amp;')}">`);
    expect(await width()).toBe(1);
    await page.goto(link);
    expect(await width()).toBe(1);
  });

  it('displays text as text, regardless of its content', async () => {
    await page.goto(await linkTo(SCRIPT, 'text/plain'));
    expect(await page.locator('body').innerText()).toContain('<script>');
    expect(await page.title()).not.toBe('it ran');
  });

  it.each([
    ['text/html', SCRIPT],
    ['image/svg+xml', SVG],
    ['application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml"><body>${SCRIPT}</body></html>`],
    ['application/pdf', '%PDF-1.4'],
  ])('saves %s and executes none of it', async (type, content) => {
    const link = await linkTo(content, type);
    const download = page.waitForEvent('download');
    await page.goto(link).catch(() => undefined);
    expect((await download).suggestedFilename()).toBe('a.file');
  });

  it.each([
    ['text/html', SCRIPT],
    ['image/svg+xml', SVG],
    ['text/plain', SCRIPT],
    ['image/png', SCRIPT],
  ])('executes nothing of %s in a frame', async (type, content) => {
    const link = (await linkTo(content, type)).replaceAll('&', '&amp;');
    await open(`<script>onmessage = ({ data }) => { document.title = data }</script>
      <iframe src="${link}"></iframe><object data="${link}"></object><embed src="${link}">`);
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toBe('elsewhere');
  });

  it('does not load content as a script or a style sheet', async () => {
    const link = (await linkTo('document.title = "it ran"', 'text/plain')).replaceAll('&', '&amp;');
    await open(`<script src="${link}"></script><link rel="stylesheet" href="${link}">`);
    expect(await page.title()).toBe('elsewhere');
  });
});
