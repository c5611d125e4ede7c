import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the travel example does not have, so that every case of the suite applies to the service that CI asks. */
const CAPABILITIES = `
  describe_city:
    description: Describe a city of the network, in a sentence.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [travel.search]
    inputs:
      - { name: city, type: string, description: The city., resolution: { mode: clarify } }
    output: { type: description, fields: [{ name: text, type: [string, 'null'] }] }
  close_account:
    description: Close the account of the person who calls.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [travel.book]
    requires_principal: human
    inputs: []
    output: { type: account, fields: [{ name: closed, type: boolean }] }
    cross_service:
      handoff_to: [{ service: loyalty, capability: points.pay_out }]
  give_voucher:
    description: Give a traveller a voucher of an amount.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [travel.book]
    inputs:
      - { name: amount, type: number, description: How much it is worth. }
    output: { type: voucher, fields: [{ name: code, type: string }] }
    cost: { certainty: dynamic, financial: { currency: EUR, upper_bound: 500, x-amount-input: amount } }
  upgrade_seats:
    description: Upgrade seats of a flight; more than four need an approval.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [travel.book]
    inputs:
      - { name: seats, type: integer, required: false, description: How many. }
    output: { type: seats, fields: [{ name: seats, type: integer }] }
    approval:
      required: { when: [{ input: seats, above: 4 }] }
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 }
  quote_hotel:
    description: Quote a night in a hotel of the city, at a price for each star.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [travel.search]
    inputs:
      - { name: stars, type: integer, description: How many stars., allowed_values: [5, 2] }
    output: { type: quote, fields: [{ name: hotel_quote, type: string }] }
  book_hotel:
    description: Book the night that was quoted; above 200 EUR a person approves.
    contract_version: 1.0.0
    side_effect: { type: irreversible }
    minimum_scope: [travel.book]
    inputs:
      - { name: hotel_quote, type: string, description: The quote. }
    output: { type: booking, fields: [{ name: booked, type: boolean }] }
    refresh_via: [quote_hotel]
    requires_binding: [{ type: hotel_quote, field: hotel_quote, source_capability: quote_hotel, max_age: PT15M }]
    cost: { certainty: estimated, determined_by: quote_hotel, financial: { currency: EUR, typical: 100 } }
    approval:
      required: { when: [{ cost: { above: 200 } }] }
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 }
  search_hotels:
    description: Search the hotels of a city that have rooms left.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [travel.search]
    inputs:
      - { name: city, type: string, description: The city. }
    output: { type: hotels, fields: [{ name: hotels, type: array }] }
  plan_stay:
    description: Find a hotel of a city, and ask for another city where there is none.
    contract_version: 1.0.0
    kind: composed
    side_effect: { type: read }
    minimum_scope: [travel.search]
    inputs:
      - { name: city, type: string, description: The city. }
    output: { type: stay, fields: [{ name: hotels, type: array }] }
    composition:
      authority_boundary: same_service
      steps: [{ id: find, capability: search_hotels, empty_result_source: true, empty_result_path: $.hotels }]
      input_mapping: { find: { city: $.input.city } }
      output_mapping: { hotels: $.steps.find.output.hotels }
      failure_policy: propagate
      empty_result_policy: clarify
      audit_policy: { record_child_invocations: true, parent_task_lineage: true }
`

const HANDLERS = {
  describe_city: ['describeCity', '({ text: null })'],
  close_account: ['closeAccount', '({ closed: true })'],
  give_voucher: ['giveVoucher', "({ code: 'v-1' })"],
  upgrade_seats: ['upgradeSeats', '({ seats: 1 })'],
  book_hotel: ['bookHotel', '({ booked: true })'],
  search_hotels: ['searchHotels', '({ hotels: [] })'],
}

const QUOTE_HOTEL = `import type { QuoteHotelHandler } from '../../generated/service.js'

export const quoteHotel: QuoteHotelHandler = async ({ stars }, { bindings }) => ({
  hotel_quote: await bindings.issue({ type: 'hotel_quote', price: { currency: 'EUR', amount: stars * 60 } }),
})
`

/** Lets some callers read less of a failure than others do. */
function discloseLess(folder) {
  const file = join(folder, 'svc.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('partner: reduced,', 'partner: reduced, stranger: redacted,'))
}

/** Adds them to the manifest of a scaffold, with their handlers. */
export function addCapabilities(folder) {
  discloseLess(folder)
  appendFileSync(join(folder, 'svc.yaml'), CAPABILITIES)
  writeFileSync(join(folder, 'src/handlers/quote_hotel.ts'), QUOTE_HOTEL)
  appendFileSync(join(folder, 'src/handlers/index.ts'), `export { quoteHotel } from './quote_hotel.js'\n`)
  for (const [file, [name, result]] of Object.entries(HANDLERS)) {
    writeFileSync(join(folder, `src/handlers/${file}.ts`), `export const ${name} = () => ${result}\n`)
    appendFileSync(join(folder, 'src/handlers/index.ts'), `export { ${name} } from './${file}.js'\n`)
  }
}

const MORE = {
  agent: { scopes: ['travel.search'] },
  developer: { caller_classes: ['internal', 'partner', 'stranger'] },
}

/**
 * Lets the agent have tokens of its own to search, beside those that it is delegated, and the developer tokens of every
 * class of callers.
 */
export function entitle(folder) {
  const file = join(folder, 'api-keys.json')
  const keys = JSON.parse(readFileSync(file, 'utf8'))
  const entitled = keys.map((key) => ({ ...key, ...MORE[key.id] }))
  writeFileSync(file, JSON.stringify(entitled, null, 2))
}
