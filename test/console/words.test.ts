import { describe, expect, it } from 'vitest'
import { effectWords, undoWords } from '../../src/console/app/words/effect.js'
import { nameInWords } from '../../src/protocol/name-in-words.js'
import { confirmWords, headline } from '../../src/console/app/words/headline.js'
import { amount, left, money, percentOf } from '../../src/console/app/words/money.js'
import { isPerson, nameOf, whoBegins } from '../../src/console/app/words/people.js'
import { oneLine } from '../../src/console/app/words/safe-text.js'
import { countdown, durationWords, exact, local, span, utc } from '../../src/console/app/words/time.js'

it.each([
  ['BHD', 12.345, '12.345 BHD'],
  ['KWD', 0.001, '0.001 KWD'],
  ['CLF', 1.2345, '1.2345 CLF'],
  ['EUR', 12.5, '12.50 EUR'],
  ['JPY', 1200, '1,200 JPY'],
])('money in %s of %s is %s', (currency, value, text) => {
  expect(money({ amount: value, currency })).toBe(text)
})

describe('words of the console', () => {
  it('write money with the decimals of its currency', () => {
    expect(money({ amount: 12480, currency: 'EUR' })).toBe('12,480.00 EUR')
    expect(amount({ amount: 1500, currency: 'JPY' })).toBe('1,500')
    expect(amount({ amount: 1.5, currency: 'KWD' })).toBe('1.500')
    expect(amount({ amount: 1.5, currency: 'XXQ' })).toBe('1.50')
    expect(left({ amount: 1, currency: 'EUR' }, 0.1, 0.2)).toEqual({ amount: 0.7, currency: 'EUR' })
    expect(left({ amount: 1, currency: 'EUR' }, 3)).toEqual({ amount: 0, currency: 'EUR' })
    expect(left({ amount: 1, currency: 'KWD' }, 0.001)).toEqual({ amount: 0.999, currency: 'KWD' })
    expect(left({ amount: 1, currency: 'XXQ' }, 0.01)).toEqual({ amount: 0.99, currency: 'XXQ' })
    expect([percentOf(1, 1000), percentOf(730, 1000), percentOf(0, 5), percentOf(1, 0)]).toEqual([1, 73, 0, 0])
  })

  it.each([
    [42_000, '42 s', '0:42'],
    [59_999, '59 s', '0:59'],
    [60_000, '1 min', '1:00'],
    [3_599_999, '59 min', '59:59'],
    [3_600_000, '1 h', '1 h'],
    [172_799_999, '47 h 59 min', '47 h 59 min'],
    [172_800_000, '2 d', '2 d'],
    [822_000, '13 min', '13:42'],
    [11_400_000, '3 h 10 min', '3 h 10 min'],
    [187_200_000, '2 d 4 h', '2 d 4 h'],
    [-5, '0 s', '0:00'],
  ])('write %i ms as %s', (ms, words, counted) => {
    expect([span(ms), countdown(ms)]).toEqual([words, counted])
  })

  it.each([
    ['PT24H', '24 h'],
    ['PT2H30M', '2 h 30 min'],
    ['P3D', '3 d'],
    ['P1DT1H', '25 h'],
    ['PT90S', '1 min'],
    ['PT45S', '45 s'],
    ['P1W', 'P1W'],
  ])('write %s as %s', (duration, words) => {
    expect(durationWords(duration)).toBe(words)
  })

  it('give the day of a time on the same day of another year', () => {
    const [one, other] = [Date.parse('2026-03-01T12:00:00Z'), Date.parse('2027-03-01T12:00:00Z')]
    expect([local(one, other), exact(one, other), local(one, one)].map((text) => text.includes('Mar'))).toEqual([true, true, false]) // prettier-ignore
  })

  it('give the time in UTC beside the local one', () => {
    expect(utc(Date.parse('2026-11-22T13:32:00Z'))).toContain('13:32 UTC')
  })

  it('take the sentence of the service where it is one, else the capability and its cost', () => {
    const asked = { capability: 'hold_fare', checked_cost: { amount: 12, currency: 'EUR' } }
    expect(headline(asked)).toBe('Hold fare, for 12.00 EUR')
    expect(headline({ capability: 'hold_fare' })).toBe('Hold fare')
    expect(headline({ ...asked, preview: { summary: 'Hold TP 539' } })).toBe('Hold TP 539')
    expect(headline({ ...asked, preview: { summary: 'x'.repeat(121) } })).toBe('Hold fare, for 12.00 EUR')
    expect(headline({ ...asked, preview: ['summary'] })).toBe('Hold fare, for 12.00 EUR')
    expect(confirmWords(asked)).toBe('Approve 12.00 EUR')
    expect(confirmWords({ ...asked, preview: { action: 'Pay it' } })).toBe('Pay it')
    expect(confirmWords({ capability: 'x' })).toBe('Approve for good')
    expect(nameInWords('trip.book_all-now')).toBe('Trip book all now')
  })

  it.each([
    ['summary', 120, 'Hold fare'],
    ['action', 28, 'Approve for good'],
  ] as const)('take for the %s what the service says in up to %i characters, and nothing that is empty or no text', (member, most, otherwise) => {
    const words = (value: unknown) => (member === 'summary' ? headline : confirmWords)({ capability: 'hold_fare', preview: { [member]: value } as never })
    expect([words('x'.repeat(most)), words('x'.repeat(most + 1)), words(''), words(7), words({})]).toEqual(['x'.repeat(most), otherwise, otherwise, otherwise, otherwise])
    expect(words('a\u202Eb')).toBe('a\\u{202E}b')
  }) // prettier-ignore

  it.each([
    [{ rollback_window: 'PT24H', compensation: 'cancel' }, 'for 24 h, by cancel', 'It can be undone for 24 h', 'cancel takes it back.'],
    [{ rollback_window: 'PT24H' }, 'for 24 h', 'It can be undone for 24 h', 'The service takes it back on request.'],
    [{ compensation: 'cancel' }, 'by cancel', 'It can be undone', 'cancel takes it back.'],
  ])('say of what can be undone for how long and by what: %j', (more, shortDetail, title, detail) => {
    expect(effectWords({ type: 'transactional', ...more }, 'Travel')).toMatchObject({ shortDetail, title, detail })
  }) // prettier-ignore

  it('are loud about what cannot be undone, and about nothing else', () => {
    const is = (type: 'read' | 'write' | 'transactional' | 'irreversible') => effectWords({ type }, 'Travel').is
    expect([is('read'), is('write'), is('transactional'), is('irreversible')]).toEqual(['neutral', 'neutral', 'undo', 'irreversible']) // prettier-ignore
    expect(effectWords({ type: 'transactional', rollback_window: 'PT2H', compensation: 'cancel' }, 'x').title).toBe('It can be undone for 2 h') // prettier-ignore
    expect(effectWords(undefined, 'x').title).toBe('Its effect is unknown')
  })

  it.each([
    ['irreversible', ['Cannot be undone', 'nothing takes it back', 'It cannot be undone', 'It runs as soon as the agent goes on, and no capability of Travel takes it back.']],
    ['transactional', ['Can be undone', '', 'It can be undone', 'The service takes it back on request.']],
    ['write', ['Changes data', 'no undo is declared', 'It changes data', 'No undo is declared.']],
    ['read', ['Reads only', '', 'It reads only', 'Nothing is changed.']],
  ] as const)('say of the effect %s what it means', (type, words) => {
    const { short, shortDetail, title, detail } = effectWords({ type }, 'Travel')
    expect([short, shortDetail, title, detail]).toEqual(words)
  }) // prettier-ignore

  it('say until when what was done can be taken back, and by what', () => {
    const at = Date.parse('2026-11-22T13:00:00Z')
    const effect = { type: 'transactional', rollback_window: 'PT24H', compensation: 'refund_booking' } as const
    expect(undoWords(effect, at, at)).toMatch(/^Can be undone until .*13:00 UTC\), by refund_booking$/u)
    expect(undoWords(effect, at, at + 24 * 3_600_000 - 1)).toMatch(/^Can be/u)
    expect(undoWords(effect, at, at + 24 * 3_600_000)).toMatch(/^Could be/u)
    expect(undoWords(effect, at, at + 25 * 3_600_000)).toMatch(/^Could be undone until .*13:00 UTC\)$/u)
    expect([undoWords({ type: 'irreversible' }, at, at), undoWords({ type: 'read' }, at, at)]).toEqual(['It cannot be undone', undefined]) // prettier-ignore
  })

  it('call people by their address, and the reader you', () => {
    expect([nameOf('human:ana@example.com'), nameOf('agent:desk')]).toEqual(['ana@example.com', 'agent:desk'])
    expect([nameOf('x'.repeat(80)), nameOf('x'.repeat(81))]).toEqual(['x'.repeat(80), `${'x'.repeat(79)}…`])
    const people = ['human:ana', 'oidc:7', 'agent:desk', 'service:shop', 'agent:human:desk', 'service:oidc:7'].filter(
      isPerson,
    )
    expect(people).toEqual(['human:ana', 'oidc:7'])
    expect([whoBegins('human:ana', 'human:ana'), whoBegins(null, 'human:ana')]).toEqual(['You', 'nobody'])
  })

  it('write out what cannot be seen, and cut between characters', () => {
    expect(oneLine('a\u202Eb\u0000c\u200Bd')).toBe('a\\u{202E}b\\u{0}c\\u{200B}d')
    for (const hidden of [
      0x0, 0x1f, 0x7f, 0x9f, 0xad, 0x61c, 0x200b, 0x200f, 0x2028, 0x202e, 0x2060, 0x206f, 0xfeff, 0xe0000, 0xe007f,
      0xd800,
    ])
      expect(oneLine(String.fromCodePoint(hidden))).toBe(`\\u{${hidden.toString(16).toUpperCase()}}`)
    for (const seen of [
      0x20, 0x7e, 0xa0, 0xae, 0x61b, 0x61d, 0x200a, 0x2010, 0x2027, 0x202f, 0x205f, 0x2070, 0xfefe, 0xe0080,
    ])
      expect(oneLine(String.fromCodePoint(seen))).toBe(String.fromCodePoint(seen))
    expect(oneLine('x'.repeat(300))).toHaveLength(200)
    expect(oneLine(`${'x'.repeat(198)}😀😀`)).toBe(`${'x'.repeat(198)}…`)
  })
})
