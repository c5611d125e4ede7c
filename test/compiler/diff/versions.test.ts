import { expect, it } from 'vitest'
import { nextVersion, versionChanges } from '../../../src/compiler/diff/versions.js'

it.each([
  ['1.4.2', 'patch', '1.4.3'],
  ['1.4.2', 'minor', '1.5.0'],
  ['1.4.2', 'major', '2.0.0'],
  ['0.3.1', 'patch', '0.3.2'],
  ['0.3.1', 'minor', '0.3.2'],
  ['0.3.1', 'major', '0.4.0'],
  ['2.0.0-rc.1', 'minor', '2.1.0'],
] as const)('after %s a %s change asks for %s', (before, bump, next) => {
  expect(nextVersion(before, bump)).toBe(next)
})

it.each([
  ['1.4.2', '1.4.2', undefined, []],
  ['1.4.2', '1.4.1', 'patch', ['SVC9163']],
  ['1.4.2', '1.4.3', undefined, ['SVC9164']],
  ['1.4.2', '1.4.2', 'patch', ['SVC9161']],
  ['1.4.2', '1.4.3', 'minor', ['SVC9162']],
  ['1.4.2', '1.5.0', 'minor', []],
  ['1.4.2', '1.6.7', 'minor', []],
  ['1.4.2', '2.0.0', 'minor', ['SVC9165']],
  ['1.4.2', '2.0.0', 'major', []],
  ['0.3.1', '0.3.2', 'minor', []],
  ['0.3.1', '0.3.2', 'major', ['SVC9162']],
  ['0.3.1', '0.4.0', 'major', []],
  ['0.3.1', '1.0.0', 'patch', []],
] as const)('from %s to %s with a change of %s: %j', (before, after, bump, codes) => {
  expect(versionChanges(before, after, bump).map(({ code }) => code)).toEqual(codes)
})
