import type { OpenAPIObject } from '@nestjs/swagger';
import { pageDocument } from './swagger-ui.js';

const text = (required: boolean, name: string) => ({
  name,
  in: 'query',
  required,
  description: 'For tests.',
  schema: { type: 'string', example: 'pump*' },
});
const json = {
  name: 'query',
  in: 'query',
  description: 'For tests.',
  schema: { type: 'string', example: '{"name":"pump"}' },
};
const headers = () => ({ 'X-Request-Id': {}, 'Retry-After': {} });
const document = {
  openapi: '3.0.3',
  info: { title: 'Test', version: '1' },
  paths: {
    '/things': {
      get: {
        description: 'Lists.',
        'x-scopes': ['all.User', 'things.*'],
        parameters: [text(false, 'filter'), text(true, 'email'), json],
        responses: { 200: { description: 'Done.', headers: headers() } },
      },
      post: { description: 'Public.', 'x-scopes': [], responses: {} },
    },
  },
  components: { responses: { Busy: { description: 'Busy.', headers: headers() } } },
} as unknown as OpenAPIObject;

describe('pageDocument', () => {
  const before = structuredClone(document);
  const page = pageDocument(document) as any;
  const { get } = page.paths['/things'];

  it('prefills only required parameters', () => {
    const [filter, email, query] = get.parameters;
    expect(filter).toMatchObject({ description: 'For tests. Example: `pump*`', schema: { type: 'string' } });
    expect(filter.schema).not.toHaveProperty('example');
    expect(email).toEqual(text(true, 'email'));
    expect(query.description).toBe('For tests. Example: `{"name":"pump"}`');
    expect(query.schema).toEqual({ type: 'string' });
  });

  it('omits the header that all responses have', () => {
    expect(Object.keys(get.responses[200].headers)).toEqual(['Retry-After']);
    expect(Object.keys(page.components.responses.Busy.headers)).toEqual(['Retry-After']);
  });

  it('does not modify the served document', () => {
    expect(document).toEqual(before);
  });
});
