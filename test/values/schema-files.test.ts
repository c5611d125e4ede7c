import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readManifest } from '../../src/cli/validate/read-manifest.js'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { orderManifest } from './compiled.js'

const ORDER = `
$schema: https://json-schema.org/draft/2020-12/schema
type: object
properties:
  lines: { type: array, items: { $ref: ./order-line.yaml } }
`
const LINE = `
type: object
properties: { sku: { type: string, minLength: 1 }, part: { $ref: tree/part.json } }
`
const PART = '{ "type": "object", "properties": { "parts": { "type": "array", "items": { "$ref": "part.json" } } } }'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-schema-files-'))
  write('schemas/order.yaml', ORDER)
  write('schemas/order-line.yaml', LINE)
  write('schemas/tree/part.json', PART)
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

/** A manifest in the folder, read as the command line reads it. */
async function checked(manifest: string) {
  write('svc.yaml', manifest)
  const { sources, includeProblems } = await readManifest(join(folder, 'svc.yaml'))
  return check(sources, { preset: 'minimal', includeProblems })
}

/** What is wrong with a reference: file, code and message. */
async function troublesOf($ref: string) {
  const { diagnostics } = await checked(orderManifest({ $ref }))
  return diagnostics.map(({ file, code, message }) => [file.slice(folder.length + 1), code, message])
}

describe('a `$ref` to a file', () => {
  it('makes it a shared schema of its name, and what it refers to, also where that leads back', async () => {
    const { manifest, diagnostics } = await checked(orderManifest({ $ref: './schemas/order.yaml' }))
    expect(diagnostics).toEqual([])
    expect(manifest!.capabilities['place_order']!.inputs[0]).toMatchObject({ 'x-schema': { $ref: '#/x-schemas/Order' } }) // prettier-ignore
    expect(manifest!.extensions!['x-schemas']).toEqual({
      Order: {
        type: 'object',
        properties: { lines: { type: 'array', items: { $ref: '#/x-schemas/OrderLine' } } },
      },
      OrderLine: {
        type: 'object',
        properties: { sku: { type: 'string', minLength: 1 }, part: { $ref: '#/x-schemas/Part' } },
      },
      Part: { type: 'object', properties: { parts: { type: 'array', items: { $ref: '#/x-schemas/Part' } } } },
    })
    const values = emit(manifest!, { generator: 'svc' }).files.find(({ path }) => path === 'generated/values.ts')
    expect(values!.text).toContain('export interface OrderLine {')
  })

  it('stands beside shared schemas, and in fragments', async () => {
    const [, capability] = orderManifest({ $ref: '#/x-schemas/Basket' }).split('place_order:')
    const basket = "x-schemas: { Basket: { type: array, items: { $ref: './schemas/order.yaml' } } }"
    write('more.yaml', `${basket}\ncapabilities:\n  quote_order:${capability}`)
    const manifest = orderManifest({ $ref: '#/x-schemas/Basket' }, {}, { Note: { type: 'string' } })
    const { manifest: made, diagnostics } = await checked(`include: [more.yaml]\n${manifest}`)
    expect(diagnostics.map(({ message }) => message)).toEqual([])
    expect(Object.keys(made!.extensions!['x-schemas']!)).toEqual(['Note', 'Order', 'OrderLine', 'Part', 'Basket'])
  })

  it('is judged where it stands', async () => {
    write('schemas/order-line.yaml', LINE.replace('minLength', 'minLenght'))
    expect(await troublesOf('./schemas/order.yaml')).toEqual([
      [
        'schemas/order-line.yaml',
        'SVC2801',
        '`minLenght` is no keyword of structured values. Did you mean `minLength`?',
      ],
    ])
  })

  it.each([
    ['./order.yaml', 'SVC0127', 'There is no file `./order.yaml`.'],
    ['./schemas', 'SVC0127', 'There is no file `./schemas`.'],
    ['./note.txt', 'SVC0127', 'The schema `./note.txt` is no YAML or JSON file.'],
    ['./svc.yaml', 'SVC0128', '`./svc.yaml` is part of the manifest, and no schema.'],
    ['../order.yaml', 'SVC0129', 'The schema `../order.yaml` leaves the folder of the manifest.'],
    ['/etc/order.yaml', 'SVC0129', 'The schema `/etc/order.yaml` leaves the folder of the manifest.'],
    ['C:/order.yaml', 'SVC0129', 'The schema `C:/order.yaml` leaves the folder of the manifest.'],
    ['file:///etc/a.json', 'SVC0130', 'The schema `file:///etc/a.json` is remote; validation reads no network. Copy the file into the project.'],
    ['https://a.example/order', 'SVC0130', 'The schema `https://a.example/order` is remote; validation reads no network. Copy the file into the project.'],
    ['./schemas/order.yaml#/properties', 'SVC2804', '`./schemas/order.yaml#/properties` leads to no schema. Put it under `x-schemas` and write `#/x-schemas/<name>`, or into a file and write its path, such as `./order.yaml`.'],
    ['/dev/zero', 'SVC2804', '`/dev/zero` leads to no schema. Put it under `x-schemas` and write `#/x-schemas/<name>`, or into a file and write its path, such as `./order.yaml`.'],
  ])('N22 to %s is refused: %s', async (reference, code, message) => {
    write('note.txt', 'type: object')
    expect(await troublesOf(reference)).toEqual([['svc.yaml', code, message]])
  }) // prettier-ignore

  it('N22 through a link that leaves the folder is refused, and one inside is followed', async () => {
    symlinkSync('/etc/hosts', join(folder, 'hosts.yaml'))
    symlinkSync('schemas/tree/part.json', join(folder, 'part.json'))
    expect(await troublesOf('./hosts.yaml')).toEqual([['svc.yaml', 'SVC0129', 'The schema `./hosts.yaml` leaves the folder of the manifest.']]) // prettier-ignore
    expect(await troublesOf('./part.json')).toEqual([])
  })

  it('N22 to a file that is too large is refused unread, and so is the 201st file of a chain', async () => {
    write('large.yaml', `description: ${'a'.repeat(256 * 1024)}`)
    expect(await troublesOf('./large.yaml')).toEqual([['svc.yaml', 'SVC0127', 'The schema `./large.yaml` has 262157 bytes; 262144 are the most.']]) // prettier-ignore
    for (let at = 0; at < 202; at++)
      write(`chain/c${at}.yaml`, `type: object\nproperties: { next: { $ref: ./c${at + 1}.yaml } }\n`)
    expect(await troublesOf('./chain/c0.yaml')).toEqual([['chain/c199.yaml', 'SVC0127', 'More than 200 schema files are referred to; this one is not read.']]) // prettier-ignore
  })

  it('N22 to files that are too large together is refused unread, and so is the 201st that is looked for', async () => {
    const large = `type: object\ndescription: ${'a'.repeat(250_000)}`
    for (let at = 0; at < 5; at++) write(`large${at}.yaml`, large)
    const members = (count: number, name: string): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { $ref: `./${name}${at}.yaml` }]))
    const troubles = async (properties: object) =>
      (await checked(orderManifest({ type: 'object', properties }))).diagnostics.map(({ message }) => message)
    expect((await troubles(members(5, 'large'))).filter((message) => message.includes('together'))).toEqual([
      'The schema files have more than 1048576 bytes together; this one is not read.',
    ])
    const wanting = await troubles(members(203, 'missing'))
    expect(wanting.filter((message) => message.startsWith('There is no file'))).toHaveLength(200)
    expect(wanting.filter((message) => message.startsWith('More than 200 schema files'))).toHaveLength(3)
  })

  it('is found however the manifest is named', async () => {
    write('svc.yaml', orderManifest({ $ref: './schemas/../schemas/order.yaml' }))
    const elsewhere = relative(process.cwd(), folder)
    for (const name of [`${folder}//svc.yaml`, `${folder}/./svc.yaml`, `${folder}/schemas/../svc.yaml`, `.//${elsewhere}/svc.yaml`, `${dirname(elsewhere)}/./${basename(folder)}/svc.yaml`]) {
      const { sources, includeProblems } = await readManifest(name)
      expect([name, check(sources, { preset: 'minimal', includeProblems }).diagnostics]).toEqual([name, []])
    } // prettier-ignore
  })

  it('N22 of two files of one name, or of a name that is declared, says which to rename', async () => {
    write('a/order.yaml', 'type: object')
    const clash = 'The file `./a/order.yaml` becomes the schema `Order`, which is declared already; rename one of them.'
    const twice = orderManifest({ $ref: './schemas/order.yaml' }, { $ref: './a/order.yaml' })
    expect((await checked(twice)).diagnostics).toMatchObject([{ code: 'SVC1005', message: clash, related: [{}] }])
    const both = orderManifest({ type: 'array', items: { $ref: './schemas/order.yaml' } }, { $ref: './a/order.yaml' })
    expect((await checked(both)).diagnostics).toMatchObject([{ message: clash, related: [{ message: 'It is declared here.' }] }]) // prettier-ignore
    const declared = orderManifest({ $ref: './a/order.yaml' }, {}, { Order: { type: 'string' } })
    expect((await checked(declared)).diagnostics).toMatchObject([{ code: 'SVC1005', message: clash }])
  })

  it('to a name that is no type asks for another', async () => {
    write('2.yaml', 'type: object')
    expect(await troublesOf('./2.yaml')).toEqual([['svc.yaml', 'SVC2802', '`2` becomes the name of a type; write one such as `OrderLine`: a capital, then letters and digits.']]) // prettier-ignore
  })
})

it('is found among the sources by who has no disk', () => {
  const text = orderManifest({ $ref: './order.json' })
  const messages = (...more: { file: string; text: string }[]) =>
    check([{ file: 'svc.yaml', text }, ...more], { preset: 'minimal' }).diagnostics.map(({ message }) => message)
  expect(messages({ file: 'order.json', text: '{ "type": "object" }' })).toEqual([])
  expect(messages()).toEqual(['There is no file `./order.json`.'])
})
