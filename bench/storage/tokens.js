/**
 * Whether reading a token's chain, storing a token and sweeping cost the same however many tokens there are: CPU µs on SQLite.
 * TOKENS=10000,100000,1000000 sets how many; half of them are children, and none has expired but those that are swept.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { openSqlite } from '../../dist/runtime/storage/sqlite/index.js'

const SIZES = (process.env.TOKENS ?? '10000,100000').split(',').map(Number)
const SWEPT = 5_000
const YEAR = 365 * 24 * 3_600_000

const claims = (jti, exp) => ({
  jti, exp, iss: 'shop', aud: 'shop', sub: 'agent:a', iat: 1, nbf: 1, scope: ['shop.read'], root_principal: 'human:ana',
  purpose: { parameters: {} }, constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' },
}) // prettier-ignore

function fill(file, from, to, expiresAt) {
  const database = new Database(file)
  const text = JSON.stringify(claims('tok', Math.floor(expiresAt / 1000)))
  database
    .prepare(
      `with recursive numbers (n) as (select ${from} + 1 union all select n + 1 from numbers where n < ${to})
      insert into tokens (token_id, parent_token_id, depth, claims, expires_at)
      select 'tok_' || n, case when n % 2 = 0 then 'tok_' || (n - 1) end, 1 - n % 2, ?, ? + n from numbers`,
    )
    .run([text, expiresAt])
  database.close()
}

async function cpuOf(times, work) {
  const before = process.cpuUsage()
  for (let n = 0; n < times; n++) await work(n)
  const { user, system } = process.cpuUsage(before)
  return Number(((user + system) / times).toFixed(1))
}

const folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'))
const file = join(folder, 'service.db')
const storage = await openSqlite({ file })
const rows = []
let size = 0
for (const next of SIZES) {
  fill(file, size, next, Date.now() + YEAR)
  size = next
  const some = (n) => `tok_${2 * (1 + ((n * 7919) % (size / 2)))}`
  await cpuOf(500, (n) => storage.tokens.chain(some(n)))
  const chain = await cpuOf(5000, (n) => storage.tokens.chain(some(n + 500)))
  const insert = await cpuOf(1000, (n) =>
    storage.tokens.insert({ claims: claims(`tok_new_${size}_${n}`, Date.now() / 1000 + YEAR), depth: 0 }),
  )
  fill(file, 1e9, 1e9 + SWEPT, 1)
  const sweep = (await cpuOf(1, () => storage.sweep(Date.now() + 7 * 24 * 3_600_000 - 1))) / SWEPT
  rows.push({
    tokens: size,
    'chain of two, µs': chain,
    'insert and its commit, µs': insert,
    'swept, µs each': Number(sweep.toFixed(1)),
  })
}
console.table(rows)
await storage.close()
rmSync(folder, { recursive: true, force: true })
