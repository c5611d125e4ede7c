import { expect, it } from 'vitest'
import { addressBelow, filledPath, isSegment } from '../../../src/runtime/upstream/safe-path.js'

it.each(['', '.', '..', '../x', '..;x', '..;', '.;x', ';x', '..%3bx', '..%3B', '%2e%2e', 'a/b', 'a\\b', 'a?b', 'a#b', 'a\n', '..%2f', ' ..', '.. ', ' ', '.. ;x'])('%j is no segment', (value) => {
  expect(isSegment(value)).toBe(false)
}) // prettier-ignore

it.each(['a', 'a;x', 'a.b', '...', '..a', 'ä', 'a%20b', 'v1;rev=2'])('%j is one', (value) => {
  expect(isSegment(value)).toBe(true)
})

it('is no path whose segment leads elsewhere once it is filled', () => {
  expect(filledPath('/files/.{name}', () => '.;x')).toEqual({ unsafe: '.name' })
  expect(filledPath('/files/..{name}', () => ';name=a')).toEqual({ unsafe: '..name' })
  expect(filledPath('/files/{name};v=1', () => 'a')).toEqual({ path: '/files/a;v=1' })
  expect(filledPath('/files/{name}', () => ';name=a')).toEqual({ path: '/files/;name=a' })
})

it.each([
  ['/größe', '/v1/gr%C3%B6%C3%9Fe'],
  ['/a|b^c', '/v1/a%7Cb%5Ec'],
  ['/a%20b/x;y=1', '/v1/a%20b/x;y=1'],
])('the path %s is sent as %s', (path, sent) => {
  expect(addressBelow(new URL('https://a.example/v1/'), path).pathname).toBe(sent)
})

it.each(['/../a', '/a\\..\\b', '/a b', '/a\n'])('the path %j is never sent', (path) => {
  expect(() => addressBelow(new URL('https://a.example/v1'), path)).toThrow('leads outside')
})
