import { describe, expect, it } from 'vitest'
import { StartUpError } from '../../src/runtime/errors/start-up-error.js'
import { atRoot, basePathOf, targetsBelow } from '../../src/runtime/http/base-path.js'
import { addressText, publicAddress } from '../../src/runtime/http/public-address.js'

it.each([
  ['', ''],
  ['/', ''],
  ['/agents', '/agents'],
  ['/agents/', '/agents'],
  ['/a/b_c/~d.e-f', '/a/b_c/~d.e-f'],
])('takes the base path %j as %j', (text, path) => expect(basePathOf(text)).toBe(path))

it.each(['agents', '//', '/a//b', '/..', '/a/../b', '/.', '/-/console', '/a b', '/a%20b', '/a"b', '/a?b', '/a\nb', `/${'a'.repeat(200)}`])(
  'refuses the base path %j',
  (text) => expect(() => basePathOf(text)).toThrow(StartUpError),
) // prettier-ignore

describe('the target below /agents of', () => {
  const below = targetsBelow('/agents', ['/.well-known/oauth-protected-resource/mcp'])
  it.each([
    ['/agents', '/'],
    ['/agents?x=1', '/?x=1'],
    ['/agents/', '/'],
    ['/agents/svc/audit?x=1', '/svc/audit?x=1'],
    ['/.well-known/oauth-protected-resource/agents/mcp', '/.well-known/oauth-protected-resource/mcp'],
    ['/.well-known/oauth-protected-resource/agents/mcp?x', '/.well-known/oauth-protected-resource/mcp?x'],
    ['/.well-known/oauth-protected-resource/mcp', undefined],
    ['/agentsx/svc', undefined],
    ['/svc/audit', undefined],
    ['/', undefined],
    ['/x/agents/svc', undefined],
    ['/agents//svc', '//svc'],
  ])('%s is %s', (target, found) => expect(below(target)).toBe(found))
})

it.each([
  ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource/agents/mcp'],
  ['/.well-known/svc', '/.well-known/svc/agents'],
])('puts a base path behind the name of %s', (path, found) => expect(atRoot(path, '/agents')).toBe(found))

it.each([
  ['https://svc.example', 'https://svc.example'],
  ['https://svc.example/', 'https://svc.example'],
  ['https://Svc.example:443/agents/', 'https://svc.example/agents'],
  ['http://127.0.0.1:4100/agents', 'http://127.0.0.1:4100/agents'],
])('takes the publicUrl %s as %s', (text, address) => expect(addressText(publicAddress(text))).toBe(address))

it.each(['https://:p@svc.example', 'svc.example', 'http://svc.example', 'https://svc.example/?x', 'https://svc.example/#x', 'https://ana@svc.example', 'https://svc.example/a b', 'https://svc.example/%20'])(
  'refuses the publicUrl %s',
  (text) => expect(() => publicAddress(text)).toThrow(StartUpError),
) // prettier-ignore
