import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { compiled, orderManifest, troubleOf, type Compiled } from './compiled.js'
import { randomOf, schemaOf, SHARED } from './random.js'

interface Call {
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly example?: JsonObject } } }
}

/** The example of an order in the OpenAPI document of a build; undefined where there is none. */
function exampleIn({ files }: Compiled): unknown {
  const { paths } = JSON.parse(files.get('dist/openapi.json')!) as {
    readonly paths: { readonly [path: string]: { readonly post: Call } }
  }
  const { example } = paths['/svc/invoke/place_order']!.post.requestBody.content['application/json']
  return (example?.['parameters'] as JsonObject | undefined)?.['order']
}

const made = (schema: object, shared: object = {}) => compiled(orderManifest(schema, { type: 'object' }, shared))

describe('the example of a structured value in OpenAPI', () => {
  it.each<[object, unknown]>([
    [
      {
        type: 'object',
        properties: { lines: { type: 'array', minItems: 2, items: { $ref: '#/x-schemas/Money' } }, note: { type: 'string' } },
        required: ['lines'],
      },
      { lines: [{ currency: 'EUR', amount: 0 }, { currency: 'EUR', amount: 0 }] },
    ],
    [{ type: 'string', pattern: '^[A-Z]{3}$', examples: ['LIS'] }, 'LIS'],
    [{ type: 'string', pattern: '^[A-Z]{3}$', examples: ['lis'] }, undefined],
    [{ type: 'string', pattern: '^[A-Z]{3}$' }, undefined],
    [{ type: 'integer', exclusiveMinimum: 4, multipleOf: 3 }, 9],
    [{ type: 'string', format: 'date-time' }, '2030-05-01T09:30:00Z'],
    [{ anyOf: [{ type: 'string', pattern: '^x$' }, { type: 'null' }] }, null],
  ])('of %j is %j', async (schema, example) => {
    expect(exampleIn(await made(schema, SHARED))).toEqual(example)
  }) // prettier-ignore

  it('is taken by the check that ajv made, whatever the schema', async () => {
    const random = randomOf(24)
    let found = 0
    for (let index = 0; index < 60; index++) {
      const schema = schemaOf(random, 3)
      const built = await made(schema, SHARED)
      const example = exampleIn(built)
      if (example === undefined) continue
      found++
      expect([JSON.stringify(schema), JSON.stringify(example), troubleOf(built, example)]).toEqual([expect.anything(), expect.anything(), undefined]) // prettier-ignore
    }
    expect(found).toBeGreaterThan(30)
  }, 60_000)
})
