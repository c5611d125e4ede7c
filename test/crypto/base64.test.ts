import { readFileSync } from 'node:fs'
import { glob } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { decodeBase64, decodeBase64url } from '../../src/crypto/json/base64url.js'

describe('base64 has one spelling', () => {
  it.each(['', 'aGk=', 'aA==', 'aGkh', '/+8='])('%j is one', (text) => {
    expect(Buffer.from(decodeBase64(text)!).toString('base64')).toBe(text)
  })

  it.each([
    ['no padding', 'aGk'],
    ['stray bits', 'aGl='],
    ['stray bits before two', 'aB=='],
    ['one character too many', 'aGkha'],
    ['padding in the middle', 'aA==aGkh'],
    ['too much padding', 'aGkh===='],
    ['padding alone', '='],
    ['a line end', 'aGkh\n'],
    ['a blank', 'aG kh'],
    ['the other alphabet', '_-8='],
    ['no ASCII', 'aGkhé'],
  ])('%s is none: %j', (_, text) => {
    expect(decodeBase64(text)).toBeUndefined()
  })

  it.each(['aGk=', 'aGl', 'aGkh\n', '/+8', 'a'])('%j is no base64url', (text) => {
    expect(decodeBase64url(text)).toBeUndefined()
  })
})

/** Files that read base64 by other means, and why none of them decides by it. */
const ELSEWHERE: { readonly [file: string]: string } = {
  'src/client/manifest.ts': 'the client imports nothing; it compares the spelling, too',
  'src/console/app/proof/signature.ts': 'a browser; it compares the spelling, too',
  'src/client/delegate.ts': 'the own token, which the service verifies',
  'src/cli/token/run.ts': 'the own token, shown',
  'src/cli/permissions/why.ts': 'the own token, shown',
  'src/cli/mcp/config.ts': 'the own token, shown',
  'src/cli/test/service.ts': 'credentials of a service of tests, which it made itself',
  'src/conformance/tokens.ts': 'tokens of the service that is tested',
  'src/conformance/authority.ts': 'tokens of the service that is tested',
  'src/conformance/target.ts': 'tokens of the service that is tested',
  'src/runtime/credentials/bearer.ts': 'who verifies a token; that one reads it strictly',
  'src/runtime/surfaces/mcp/server.ts': 'a secret that the service made itself',
  'src/runtime/surfaces/mcp/session.ts': 'a secret that the service made itself',
}

it('base64 is read by one strict reader', async () => {
  const files = await glob('src/**/*.ts')
  const reading = files.filter((file) =>
    /Buffer\.from\([^\n]*,\s*'base64(?:url)?'\)|\batob\(|\[A-Za-z0-9\+\/\][*+]/u.test(readFileSync(file, 'utf8')),
  )
  expect(reading.toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted())
})
