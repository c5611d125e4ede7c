import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedStretch, lookingAgain } from '../../../src/compiler/parse/look-again.js'

const LONG = 40_000
const filler = 'capabilities: '.repeat(LONG / 14)

describe('what differs of two texts', () => {
  it('is what stands between their common beginning and their common end', () => {
    expect(changedStretch('one two three', 'one 2 three')).toEqual({ before: 4, after: 6 })
    expect(changedStretch('aa', 'aaa')).toEqual({ before: 2, after: 0 })
    expect(changedStretch('', 'abc')).toEqual({ before: 0, after: 0 })
  })
})

describe('looking again', () => {
  it('answers of any texts in a row as a look at each of them does', () => {
    const holds = (text: string): boolean => text.includes('secret')
    const piece = fc.constantFrom('s', 'se', 'sec', 'cret', 'ecret', 'secret', 'x', '')
    const edit = fc.record({ at: fc.nat(LONG), removed: fc.nat(8), written: piece })
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const look = lookingAgain(holds, 'secret'.length)
        let text = filler
        for (const { at, removed, written } of edits) {
          text = text.slice(0, at) + written + text.slice(at + removed)
          expect(look(text)).toBe(holds(text))
        }
      }),
    )
  })

  it('finds what an edit joins together', () => {
    const look = lookingAgain((text) => text.includes('secret'), 'secret'.length)
    const parted = `${filler}sec ret${filler}`
    expect([look(parted), look(parted.replace('sec ret', 'secret'))]).toEqual([false, true])
  })

  it('looks only at what differs', () => {
    const seen: number[] = []
    const look = lookingAgain((text) => {
      seen.push(text.length)
      return false
    }, 3)
    look(filler)
    look(`${filler.slice(0, 20_000)}!${filler.slice(20_000)}`)
    expect(seen).toEqual([filler.length, 1 + 2 * 3])
  })
})
