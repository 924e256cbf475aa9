import express from 'express';
import Handlebars from 'handlebars';
import { createServer } from 'node:http';
import pg from 'pg';
import { newId } from '../src/platform/repositories/resource.js';
import { components, PAGE } from './site-views.js';

// The baseline for sites: bare `node:http` for a static reply, and Express with Handlebars and `pg` for the others. It
// knows no hosts, users, versions or workflows.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const STATIC = Buffer.from('<h1>Static</h1>');
const DEVICES = `SELECT t.id, t.name, t.description FROM devices t WHERE t.application_id = $1 ORDER BY t.name LIMIT 50`;

await pool.query('CREATE TABLE IF NOT EXISTS bare_rows (id text PRIMARY KEY, path text)');

const partials = Object.entries(components).map(([name, body]) => [name, Handlebars.compile(body)] as const);
const page = Handlebars.compile(PAGE.replaceAll(/\{\{component "(\w+)" pageData\}\}/g, '{{> $1 pageData}}'));
for (const [name, partial] of partials) Handlebars.registerPartial(name, partial);

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/page', async (_request, response) => {
  const { rows } = await pool.query({ name: 'devices', text: DEVICES, values: [process.env.APPLICATION] });
  response.type('html').send(page({ pageData: { devices: rows } }));
});
app.get('/reply', async (request, response) => {
  const insert = 'INSERT INTO bare_rows (id, path) VALUES ($1, $2)';
  await pool.query({ name: 'insert', text: insert, values: [newId(), request.path] });
  response.type('text').send(request.path);
});
app.get('/health', (_request, response) => void response.send('ok'));

createServer((request, response) => {
  if (request.url !== '/static') return app(request, response);
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': STATIC.length }).end(STATIC);
}).listen(Number(process.env.PORT), '127.0.0.1');
