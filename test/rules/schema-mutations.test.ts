/** Never stricter than the rules, never silent where it refuses. 10,000 valid manifests: `MANIFESTS=10000 npx vitest run test/rules/schema-mutations.test.ts`. */
import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { schemaJudge } from '../../src/cli/validate/schema-judge.js'
import { check } from '../../src/compiler/check.js'
import type { Json } from '../../src/protocol/manifest.js'
import { randomManifest } from '../builds/random-manifest.js'
import { randomOf, type Random } from '../values/random.js'

const COUNT = Number(process.env['MANIFESTS'] ?? 100)
const SEED = Number(process.env['SEED'] ?? 40)

type Part = { [name: string]: Json } | Json[]

const written = globSync(['examples/*/svc.yaml', 'test/rules/*/*/good.yaml']).map((file): Json => {
  const { include: _, ...manifest } = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }) as { include?: Json; capabilities?: Json } // prettier-ignore
  return manifest as Json
})

/** Each place of a value, with what holds it. */
function placesIn(value: Json, places: [Part, string][] = []): [Part, string][] {
  if (typeof value !== 'object' || value === null) return places
  for (const [key, inner] of Object.entries(value)) {
    places.push([value as Part, key])
    placesIn(inner as Json, places)
  }
  return places
}

/** What is written anywhere under a key: a value that fits in one place often fits in another. */
const pool = new Map<string, Json[]>()
for (const [part, key] of written.flatMap((each) => placesIn(each)))
  if (!Array.isArray(part)) pool.set(key, [...(pool.get(key) ?? []), part[key]!])

const SCALARS: readonly Json[] = [0, 1, -1, 0.5, 2, 6, 1e21, true, false, null, '', ' ', 'x', 'any', 'string', 'PT1H', 'P0D', [], {}]
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!

function change(random: Random, [part, key]: [Part, string]): void {
  const put = (value: Json): void => void ((part as { [key: string]: Json })[key] = structuredClone(value) as Json)
  const kind = random(8)
  if (kind < 4) put(pick(random, pool.get(key) ?? SCALARS))
  else if (kind === 4) put(pick(random, SCALARS))
  else if (kind === 5 && Array.isArray(part)) part.push(structuredClone(part[Number(key)]!))
  else if (kind === 6 && !Array.isArray(part)) {
    const name = pick(random, [...pool.keys()])
    part[name] = structuredClone(pick(random, pool.get(name)!))
  } else if (Array.isArray(part)) part.splice(Number(key), 1)
  else delete part[key]
}

function mutated(random: Random): Json {
  const manifest = structuredClone(random(4) === 0 ? randomManifest(random, 0) : pick(random, written)) as Json
  for (let changes = random(3) + 1; changes > 0; changes--) {
    const places = placesIn(manifest)
    if (places.length > 0) change(random, pick(random, places))
  }
  return manifest
}

it(`refuses none of ${COUNT} valid mutations, and nothing that no rule refuses`, () => {
  const judge = schemaJudge()
  for (let seed = SEED, count = 0; count < COUNT; seed++) {
    const manifest = mutated(randomOf(seed))
    const { diagnostics, manifest: valid } = check([{ file: 'svc.json', text: JSON.stringify(manifest) }], { judge })
    const taken = judge.manifest(manifest)
    const alone = diagnostics.filter(({ code }) => code === 'SVC0190').map(({ message, path }) => `${path}: ${message}`)
    expect(alone, `seed ${seed}`).toEqual([])
    if (valid === undefined) continue
    expect(taken ? [] : judge.manifest.errors, `seed ${seed}`).toEqual([])
    count++
  }
}, 3_600_000)
