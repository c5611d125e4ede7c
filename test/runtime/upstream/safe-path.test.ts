import { expect, it } from 'vitest'
import { filledPath, isSegment } from '../../../src/runtime/upstream/safe-path.js'

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
