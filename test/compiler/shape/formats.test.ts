/** How each text of a manifest is spelt: what fits, and what is meant by what does not. */
import { expect, it } from 'vitest'
import { fits, FORMATS, formatOf, withdrawnIn, type TextFormat } from '../../../src/compiler/shape/formats.js'

const TEXTS =
  `search_flights pay.charge searchFlights SearchFlights search-flights search/flights search:flights search__flights _search search_ 9search search9 a A a.b.c a..b .a a.
constructor __proto__ toString flights.read Flights.Read flights:read flights-read flights.read.all flights. :read flights/read flights quote_id quoteId quote-id quote.id 9quote ${'a'.repeat(128)} ${'a'.repeat(129)}
crm.account_catalog crm/account CRM.Account https://a.example P1D PT15M P90D P1Y2M3DT4H5M6S PT1.5S P1W P1W1D P P1 PT pt15m 15m 15min 2h 1day 3days 2weeks 1month 1y 30s 30secs 30seconds 5minutes 1234567s P1234567D hourly daily Hourly hourl weekly
1.0.0 1.0 1 v1.0.0 V2 01.0.0 1.0.0-beta.1 1.0.0-01 1.0.0+build 1.0.0.0 0.24.0 0.24 EUR eur USD XYZ EURO EU euR ATS DEM HRK ANG
2026-01-01T00:00:00Z 2026-01-01T00:00:00.123456789Z 2026-01-01T00:00:00.1234567890Z 2026-01-01T24:00:00Z 2026-02-30T00:00:00Z 2026-01-01T00:00:00+02:00 2026-01-01T00:00:00 2026-01-01 2026-13-01T00:00:00Z 2026-01-01T00:00:60Z 2026-01-01T00:00:00+24:00
${'0'.repeat(64)} ${'0'.repeat(63)} ${'A'.repeat(64)} ${'g'.repeat(64)} /.well-known/jwks.json /a?b /a#b a/b /a%20b /
$.input.city $.inputs.city input.city inputs.city .input.city $input.city $.steps.search.output.flights $.steps.search.flights $.step.search.output.flights steps.search.results.flights $.steps.search.outputs.flights $.steps.search $.flights $.flights[0] $..flights $.input.a.b $.input.9`
    .split(/\s/u)
    .concat(' EUR ', ' 15 m ', '15 minutes', ' flights.read ', ' $.input.city ', 'a name', '')

const short = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 3)}…(${text.length})` : JSON.stringify(text)

it.each(Object.keys(FORMATS) as readonly TextFormat[])('%s', async (name) => {
  const { noun, fix, examples, longest, exact = [], mayGuess } = formatOf(name)
  const fitting = TEXTS.filter((text) => fits(formatOf(name), text))
  const fixed = TEXTS.flatMap((text) => {
    const meant = fitting.includes(text) ? undefined : fix?.(text)
    return meant === undefined ? [] : [`${short(text)} -> ${short(meant)}\n`]
  })
  const misspelt = TEXTS.flatMap((text) => {
    const found = fitting.includes(text) ? undefined : exact.find(({ when }) => when.test(text))
    return found === undefined ? [] : [`${found.code} ${found.message(short(text))} => ${found.fix?.(text)}\n`]
  })
  const head = `${noun}; at most ${longest}; such as ${examples.join(', ')}; ${mayGuess ? 'may guess' : 'respells'}\n`
  const page = [head, 'fits: ', fitting.map(short).join(' '), '\n', ...fixed, ...misspelt].join('')
  await expect(page).toMatchFileSnapshot(`formats/${name}.txt`)
})

it('currencies that ISO 4217 withdrew', () => {
  const codes = 'ATS BEF BGL BGN CUC CYP DEM EEK ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL MRO MTL NLG PTE SIT SKK SLL STD VEF ZMK ANG EUR XYZ'
  expect(codes.split(' ').map((code) => `${code} ${withdrawnIn(code) ?? 'never'}`).join(', ')).toBe(
    'ATS 2002, BEF 2002, BGL 1999, BGN 2026, CUC 2021, CYP 2008, DEM 2002, EEK 2011, ESP 2002, FIM 2002, FRF 2002, GRD 2002, HRK 2023, IEP 2002, ITL 2002, LTL 2015, LUF 2002, LVL 2014, MRO 2018, MTL 2008, NLG 2002, PTE 2002, SIT 2007, SKK 2009, SLL 2023, STD 2018, VEF 2018, ZMK 2012, ANG 2025, EUR never, XYZ never',
  )
}) // prettier-ignore
