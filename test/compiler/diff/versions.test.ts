/** Which version changes ask for, and what is said of one that says less, more, or nothing. */
import { expect, it } from 'vitest'
import { bumpFor, nextVersion, versionChanges } from '../../../src/compiler/diff/versions.js'

it.each([
  ['1.2.3', 'major', '2.0.0'],
  ['1.2.3', 'minor', '1.3.0'],
  ['1.2.3', 'patch', '1.2.4'],
  ['0.2.3', 'major', '0.3.0'],
  ['0.2.3', 'minor', '0.2.4'],
  ['0.2.3', 'patch', '0.2.4'],
  ['1.2.3-beta.1', 'patch', '1.2.4'],
  ['1.2.3+build.7', 'major', '2.0.0'],
  ['9.9.9', 'minor', '9.10.0'],
] as const)('after %s a %s change is %s', (before, bump, next) => {
  expect(nextVersion(before, bump)).toBe(next)
})

it.each([
  ['1.0.0', '1.0.0', undefined, []],
  ['1.0.0', '1.0.1', undefined, ['SVC9164 was 1.0.0 and is 1.0.1, and nothing else changed']],
  ['1.0.1', '1.0.0', undefined, ['SVC9163 was 1.0.1 and is 1.0.0']],
  ['1.9.0', '1.10.0', 'minor', []],
  ['1.10.0', '1.9.0', 'minor', ['SVC9163 was 1.10.0 and is 1.9.0']],
  ['1.0.0', '1.0.0', 'patch', ['SVC9161 is still 1.0.0; its changes ask for 1.0.1 or later']],
  ['1.0.0-beta', '1.0.0', 'patch', ['SVC9161 is still 1.0.0; its changes ask for 1.0.1 or later']],
  ['1.0.0', '1.0.1', 'minor', ['SVC9162 was 1.0.0 and is 1.0.1; its changes ask for 1.1.0 or later']],
  ['1.0.0', '1.9.9', 'major', ['SVC9162 was 1.0.0 and is 1.9.9; its changes ask for 2.0.0 or later']],
  ['1.0.0', '1.0.1', 'patch', []],
  ['1.0.0', '1.1.0', 'patch', []],
  ['1.0.0', '2.0.0', 'patch', ['SVC9165 was 1.0.0 and is 2.0.0; 1.0.1 is enough']],
  ['1.0.0', '2.0.0', 'minor', ['SVC9165 was 1.0.0 and is 2.0.0; 1.1.0 is enough']],
  ['1.0.0', '2.0.0', 'major', []],
  ['1.0.0', '3.0.0', 'major', []],
  ['0.1.0', '0.2.0', 'major', []],
  ['0.1.0', '0.1.1', 'major', ['SVC9162 was 0.1.0 and is 0.1.1; its changes ask for 0.2.0 or later']],
  ['0.1.0', '0.1.1', 'minor', []],
  ['0.1.0', '1.0.0', 'patch', []],
] as const)('from %s to %s with %s', (before, after, bump, wanted) => {
  const said = versionChanges(before, after, bump).map(({ code, at, says }) => {
    expect(at).toEqual(['contract_version'])
    return `${code} ${says}`
  })
  expect(said).toEqual(wanted)
})

it('the largest bump counts, also one that stands in the place of its kind', () => {
  const of = (...codes: readonly string[]) => bumpFor(codes.map((code) => ({ code, at: [], says: '' })))
  expect([of(), of('SVC9001'), of('SVC9161')]).toEqual([undefined, 'major', undefined])
  expect([of('SVC9206'), of('SVC9206', 'SVC9005'), of('SVC9005', 'SVC9083', 'SVC9206')]).toEqual([
    'patch',
    'minor',
    'major',
  ])
  const instead = { code: 'SVC9206', at: [], says: '', instead: { bump: 'major' } } as never
  expect(bumpFor([instead])).toBe('major')
})
