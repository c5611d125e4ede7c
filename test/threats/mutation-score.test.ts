import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'

/** Of one file: when, at which commit and with which content it was measured. */
interface Score {
  readonly measured: string
  readonly commit: string
  /** Absent where only the whole area was measured, before each file had a score. */
  readonly digest?: string
  readonly killed: number
  readonly timedOut: number
  readonly survived: number
}
type Areas = { readonly [area: string]: { readonly mutate: readonly string[]; readonly tests: readonly string[] } }

const read = (name: string): string => readFileSync(`test/mutation/${name}`, 'utf8')
const areas = JSON.parse(read('areas.json')) as Areas
const scores = JSON.parse(read('scores.json')) as { readonly [area: string]: { readonly [file: string]: Score } }

/** What the threat names -> the files that decide it. */
const NAMED = {
  token: ['src/crypto/jws/{jwt,delegation-claims,jws,jws-header}.ts', 'src/crypto/keys/es256.ts', 'src/runtime/auth/{token,token-request,issue,revoke}.ts'],
  narrowing: ['src/runtime/auth/{child-authority,root-authority,authority,purpose,expiry}.ts', 'src/protocol/durations.ts'],
  grant: ['src/runtime/approvals/*.ts', 'src/runtime/call/checks/*.ts', 'src/runtime/storage/sql/approvals.ts'],
  budget: ['src/protocol/money.ts', 'src/runtime/call/reserve/{reserve,budget-hold,pool}.ts', 'src/runtime/call/facts/{price,cost}.ts', 'src/runtime/storage/sql/ledger.ts', 'src/crypto/trail/{counters,spending,tallies}.ts'],
  idempotency: ['src/runtime/call/reserve/{idempotency,lasting-refusal}.ts', 'src/runtime/storage/sql/idempotency.ts'],
  chain: ['src/runtime/audit/*.ts', 'src/crypto/merkle/{checkpoint,checkpoint-proofs}.ts', 'src/crypto/trail/{audit-export-judge,audit-export-lines}.ts', 'src/crypto/jws/published-manifest.ts'],
  merkle: ['src/crypto/merkle/{merkle,merkle-proof,merkle-verify}.ts'],
  emitters: ['src/compiler/print/*.ts', 'src/compiler/targets/*.ts', 'src/compiler/targets/documents/*.ts'],
} // prettier-ignore

const NO_DIGEST = '0'.repeat(16)
const filesOf = (patterns: readonly string[]) => globSync([...patterns]).sort()

describe('S07 the mutation score', () => {
  it.each(Object.entries(NAMED))('is measured of %s: each of its files is changed', (_, patterns) => {
    const changed = new Set(filesOf(Object.values(areas).flatMap(({ mutate }) => mutate)))
    expect(filesOf(patterns).filter((file) => !changed.has(file))).toEqual([])
    for (const pattern of patterns) expect([pattern, filesOf([pattern]).length > 0]).toEqual([pattern, true])
  })

  it.each(Object.keys(areas))('of %s was at least 90 % when it was measured last', (area) => {
    const files = Object.values(scores[area]!)
    for (const { measured, commit, digest = NO_DIGEST } of files)
      expect([measured, commit, digest]).toEqual([
        expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/u),
        expect.stringMatching(/^[\da-f]{8}$/u),
        expect.stringMatching(/^[\da-f]{16}$/u),
      ])
    const found = files.reduce((sum, { killed, timedOut }) => sum + killed + timedOut, 0)
    const alive = files.reduce((sum, { survived }) => sum + survived, 0)
    expect(found / (found + alive)).toBeGreaterThanOrEqual(0.9)
    expect(filesOf(areas[area]!.tests)).not.toEqual([])
  })

  it('leaves no mutant out', () => {
    expect(read('stryker.config.js')).not.toMatch(/excludedMutations|ignoreStatic: true|ignorers/u)
    expect(globSync('src/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('Stryker disable'))).toEqual([])
  })
})
