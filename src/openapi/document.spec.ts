import { Body, Controller, Get, Param, Post, type Type } from '@nestjs/common';
import { ApiSchema, type OpenAPIObject } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import {
  BooleanField,
  JsonField,
  ObjectField,
  StringField,
  type JsonSchema,
} from '../platform/fields/fields.js';
import { Operation } from '../platform/operations/operation.js';
import { buildDocument } from './document.js';
import { operationsOf } from './operations.js';

const description = 'For tests.';
const SIZE = {
  title: 'Size',
  type: 'object',
  description,
  properties: { width: { type: 'integer' } },
};
const BOX: JsonSchema = {
  title: 'Box',
  type: 'object',
  description,
  properties: { inner: SIZE, free: { type: 'object' } },
};

@ApiSchema({ name: 'Part', description })
class Part {
  @StringField({ description }) name: string;
}

@ApiSchema({ name: 'Shown', description })
class Shown {
  @JsonField(
    { title: 'Stats', type: 'object', properties: { n: { type: 'integer', example: 3 } } },
    { description },
  )
  stats?: object;
}

@ApiSchema({ name: 'ThingPost', description })
class ThingPost {
  @JsonField(BOX, { description: 'Words of its own.' }) box?: object;
  @JsonField({ type: 'array', items: SIZE }, { description }) sizes?: object[];
  @ObjectField(() => Part, { column: false, list: true, description }) parts?: Part[];
  @BooleanField({ description, default: false }) loud?: boolean;
}

@Controller('things')
class ThingsController {
  @Post()
  @Operation('things.post', {
    summary: 'Makes',
    description,
    scopes: ['all.User'],
    body: { thing: ThingPost },
    example: { box: {} },
    returns: { 201: Shown },
  })
  create(@Body() _body: ThingPost): void {}

  @Get(':thingId')
  @Operation('thing.get', {
    summary: 'Returns',
    description,
    scopes: ['all.User'],
    role: 'view',
    returns: { 200: Shown },
    missing: 'thing',
    errors: { 409: 'It is busy.' },
  })
  get(@Param('thingId') _id: string): void {}
}

@Controller('auth')
class OpenController {
  @Get()
  @Operation('auth.user', { summary: 'Open', description, scopes: 'public', returns: { 204: null } })
  open(): void {}
}

async function documentOf(...controllers: Type[]): Promise<OpenAPIObject> {
  const module = await Test.createTestingModule({ controllers }).compile();
  const app = module.createNestApplication();
  try {
    return buildDocument(app);
  } finally {
    await app.close();
  }
}

/** Returns a controller with one operation whose body has the schema `schema`. */
function controllerWith(name: string, schema: JsonSchema): Type {
  @Controller(name)
  class OneController {
    @Post()
    @Operation(`${name}.post`, {
      summary: 'Makes',
      description,
      scopes: ['all.User'],
      body: { thing: schema },
      returns: { 204: null },
    })
    create(): void {}
  }
  return OneController;
}

describe('The document', () => {
  let document: OpenAPIObject;
  let schemas: Record<string, Record<string, any>>;
  beforeAll(async () => {
    document = await documentOf(ThingsController, OpenController);
    schemas = document.components!.schemas as typeof schemas;
  });

  const operation = (id: string) =>
    operationsOf(document).find(({ operation: found }) => found.operationId === id)!.operation as any;

  it('turns schemas with a title into components, including nested ones', () => {
    expect(schemas.Box!.properties.inner).toEqual({ $ref: '#/components/schemas/Size' });
    expect(schemas.Size).toMatchObject({ type: 'object', properties: { width: { type: 'integer' } } });
    expect(schemas.ThingPost!.properties.sizes.items).toEqual({ $ref: '#/components/schemas/Size' });
    expect(JSON.stringify(document.paths) + JSON.stringify(schemas)).not.toContain('"title"');
  });

  it('keeps the description of a property next to the reference to its schema', () => {
    expect(schemas.ThingPost!.properties.box).toMatchObject({
      description: 'Words of its own.',
      allOf: [{ $ref: '#/components/schemas/Box' }],
    });
  });

  it('moves defaults of properties to the description, because generators would treat them as required', () => {
    expect(schemas.ThingPost!.properties.loud).toEqual({
      type: 'boolean',
      description: `${description} Default: \`false\`.`,
      example: true,
    });
  });

  it('places the example of a body next to its schema', () => {
    expect(operation('things_post').requestBody.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/ThingPost' },
      example: { box: {} },
    });
  });

  it('shares the sample of a schema among the responses that have it', () => {
    for (const { responses } of [operation('things_post'), operation('thing_get')]) {
      const { content } = responses[201] ?? responses[200];
      expect(content['application/json'].examples).toEqual({
        sample: { $ref: '#/components/examples/Shown' },
      });
    }
    expect(document.components!.examples).toEqual({ Shown: { value: { stats: { n: 3 } } } });
  });

  it('shows an error of the operation itself in each 400', () => {
    const messageOf = (id: string) =>
      operation(id).responses[400].content['application/json'].example.message;
    expect(messageOf('things_post')).toBe('thing.box must be an object');
    expect(messageOf('thing_get')).toBe('thingId is not an ID of 24 hexadecimal digits');
  });

  it('shares the errors that several operations repeat', async () => {
    const { paths, components } = await documentOf(
      controllerWith('ones', SIZE),
      controllerWith('twos', SIZE),
    );
    const shared = { $ref: '#/components/responses/InvalidThingWidth' };
    for (const path of ['/ones', '/twos']) expect(paths[path]!.post!.responses[400]).toEqual(shared);
    expect(components!.responses).toMatchObject({
      InvalidThingWidth: {
        content: { 'application/json': { example: { message: 'thing.width must be an integer' } } },
      },
    });
  });

  it('uses the error message that the operation declares', () => {
    const messageOf = (status: number) =>
      operation('thing_get').responses[status].content['application/json'].example.message;
    expect(messageOf(404)).toBe('Thing was not found');
    expect(messageOf(409)).toBe('It is busy');
  });

  it('closes all objects that a request body contains, and no others', () => {
    for (const name of ['ThingPost', 'Box', 'Size', 'Part'])
      expect(schemas[name]).toMatchObject({ additionalProperties: false });
    expect(schemas.Box!.properties.free).not.toHaveProperty('additionalProperties');
    expect(schemas.Shown).not.toHaveProperty('additionalProperties');
    expect(schemas.Stats).not.toHaveProperty('additionalProperties');
  });

  it('leaves an object open if its schema allows additional properties', async () => {
    const open = { title: 'Open', type: 'object', additionalProperties: true, properties: { a: {} } };
    const { components } = await documentOf(controllerWith('opens', open));
    expect(components!.schemas!.Open).toMatchObject({ additionalProperties: true });
  });

  it('accepts the same schema twice', async () => {
    await expect(
      documentOf(controllerWith('ones', SIZE), controllerWith('twos', { ...SIZE })),
    ).resolves.toBeDefined();
  });

  it('rejects two different schemas with the same name', async () => {
    const other = { ...SIZE, properties: { height: { type: 'integer' } } };
    await expect(documentOf(controllerWith('ones', SIZE), controllerWith('twos', other))).rejects.toThrow(
      'Two schemas are named Size',
    );
  });

  it('declares the errors that an operation can return', () => {
    expect(Object.keys(operation('things_post').responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(operation('thing_get').responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '429',
      '500',
      '503',
    ]);
    expect(operation('auth_user').responses[400]).toEqual({ $ref: '#/components/responses/BadRequest' });
    expect(operation('thing_get').responses[404].description).toContain('The thing does not exist');
  });

  it('declares no security, 401 or 403 for public operations', () => {
    const { security, responses } = operation('auth_user');
    expect(security).toEqual([]);
    expect(responses).not.toHaveProperty('401');
    expect(responses).not.toHaveProperty('403');
    expect(operation('thing_get').security).toEqual([{ bearer: [] }]);
  });

  it('lists the scopes of each operation', () => {
    expect(operation('thing_get')['x-scopes']).toEqual(['all.User', 'thing.*', 'thing.get']);
  });

  it('states role and scopes in the description, for operations with a token', () => {
    expect(operation('thing_get').description).toBe(
      'For tests.\n\nRequires the `view` role. Accepts tokens with any of the scopes `all.User`, `thing.*`, `thing.get`.',
    );
    expect(operation('thing_get')).not.toHaveProperty('x-role');
    expect(operation('things_post').description).toBe(
      'For tests.\n\nAccepts tokens with any of the scopes `all.User`, `things.*`, `things.post`.',
    );
    expect(operation('auth_user').description).toBe('For tests.');
  });

  it('states what success returns', () => {
    expect(operation('things_post').responses[201].description).toBe(
      'The resource was created. Returns `Shown`.',
    );
    expect(operation('thing_get').responses[200].description).toBe('The request succeeded. Returns `Shown`.');
    expect(operation('auth_user').responses[204].description).toBe(
      'The request succeeded and has no response body.',
    );
  });

  it('describes IDs in paths', () => {
    expect(operation('thing_get').parameters).toEqual([
      expect.objectContaining({
        name: 'thingId',
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: '^[A-Fa-f\\d]{24}$' },
      }),
    ]);
  });

  it('is identical for each build, regardless of the order of the controllers', async () => {
    const again = await documentOf(OpenController, ThingsController);
    expect(again).toEqual(document);
    expect(Object.keys(again.paths)).toEqual(Object.keys(document.paths));
  });

  it('contains no unused components', () => {
    const text = JSON.stringify(document);
    const { responses, schemas: shown } = document.components!;
    for (const [kind, parts] of Object.entries({ responses, schemas: shown }))
      for (const name of Object.keys(parts!)) expect(text).toContain(`"#/components/${kind}/${name}"`);
    // Only 422 uses this schema, and no operation here returns it.
    expect(shown).not.toHaveProperty('ValidationErrors');
    expect(responses).not.toHaveProperty('UnprocessableResources');
  });

  it('contains no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, kind, name] of references)
      expect((document.components as Record<string, object>)[kind!]).toHaveProperty([name!]);
  });
});
