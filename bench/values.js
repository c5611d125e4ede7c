/** What a nested input costs a call more than an object that nobody looks into: µs of CPU for each value. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import typescript from 'typescript-5.9'
import { check, emit } from '../dist/bundle/compiler/index.js'
import { inputValue, structured } from '../dist/runtime/index.js'

const AIM = 10
const ROUNDS = 15
const CALLS = 20_000
const at = (path) => new URL(path, import.meta.url).href

/** Twenty fields in four levels, of all kinds; three lines of an order. */
const LINE = {
  type: 'object',
  properties: {
    sku: { type: 'string', maxLength: 20 },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    quantity: { type: 'integer', minimum: 1, maximum: 1000 },
    price: {
      type: 'object',
      properties: { currency: { enum: ['EUR', 'USD'] }, amount: { type: 'number', minimum: 0 } },
      required: ['currency', 'amount'],
      additionalProperties: false,
    },
    note: { type: ['string', 'null'] },
  },
  required: ['sku', 'quantity', 'price'],
  additionalProperties: false,
}
const ORDER = (pattern) => ({
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    ship_at: { type: 'string', format: 'date' },
    express: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string', ...(pattern && { pattern: '^[a-z]+(-[a-z]+)*$' }) }, maxItems: 10 },
    lines: { type: 'array', items: LINE, minItems: 1, maxItems: 100 },
    address: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        street: { type: 'string' },
        city: { type: 'string' },
        zip: { type: 'string', ...(pattern && { pattern: '^\\d{4,5}$' }) },
        country: { enum: ['DE', 'PT', 'US'] },
      },
      required: ['name', 'city', 'country'],
      additionalProperties: false,
    },
    contact: {
      anyOf: [
        { type: 'null' },
        {
          type: 'object',
          properties: { email: { type: 'string', format: 'email' } },
          required: ['email'],
          additionalProperties: false,
        },
      ],
    },
  },
  required: ['id', 'lines', 'address'],
  additionalProperties: false,
})
const line = { sku: 'AB-1234', name: 'A thing', quantity: 2, price: { currency: 'EUR', amount: 9.5 }, note: null }
const VALUE = {
  id: '6f2c1a52-9f0b-4c1e-8f5d-2a7f0f0a9b3c',
  ship_at: '2026-12-01',
  express: true,
  tags: ['red', 'big-box'],
  lines: [line, line, line],
  address: { name: 'Ana', street: 'Rua 1', city: 'Lisboa', zip: '1000', country: 'PT' },
  contact: { email: 'ana@example.com' },
}

async function checkOf(schema) {
  const manifest = {
    manifest_metadata: { version: '0.24.0' },
    service_identity: { id: 'shop' },
    trust: { level: 'signed' },
    capabilities: {
      order: {
        description: 'Takes an order and says nothing.',
        contract_version: '1.0.0',
        side_effect: { type: 'read' },
        minimum_scope: ['shop.read'],
        inputs: [{ name: 'order', type: 'object', description: 'An order.', 'x-schema': schema }],
        output: { type: 'nothing', fields: ['nothing'] },
      },
    },
  }
  const { manifest: valid } = check([{ file: 'svc.yaml', text: JSON.stringify(manifest) }])
  const { files } = emit(valid, { generator: 'bench' })
  const text = files.find(({ path }) => path === 'generated/checks.ts').text
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const file = join(folder, 'checks.mjs')
  writeFileSync(
    file,
    typescript
      .transpile(text, { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2023 })
      .replaceAll("'svc-kit/runtime/patterns'", `'${at('../dist/runtime/patterns.js')}'`)
      .replaceAll("'svc-kit/runtime'", `'${at('../dist/runtime/index.js')}'`),
  )
  const { Order_in_order } = await import(pathToFileURL(file).href)
  rmSync(folder, { recursive: true })
  return structured(inputValue('object'), Order_in_order)
}

function best(validate) {
  let least = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const { user, system } = process.cpuUsage()
    for (let call = 0; call < CALLS; call++)
      if (validate(VALUE).length > 0) throw new Error(JSON.stringify(validate(VALUE)))
    const spent = process.cpuUsage({ user, system })
    least = Math.min(least, (spent.user + spent.system) / CALLS)
  }
  return least
}

const plain = best(inputValue('object'))
for (const [name, pattern] of [
  ['nested, 20 fields, 3 lines', false],
  ['the same with patterns in 3 values', true],
]) {
  const taken = best(await checkOf(ORDER(pattern)))
  console.log(`values: ${name}: ${(taken - plain).toFixed(2)} µs more a call (aim ${AIM})`)
}
