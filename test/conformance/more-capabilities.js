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
`

const HANDLERS = {
  describe_city: ['describeCity', '({ text: null })'],
  close_account: ['closeAccount', '({ closed: true })'],
  give_voucher: ['giveVoucher', "({ code: 'v-1' })"],
  upgrade_seats: ['upgradeSeats', '({ seats: 1 })'],
}

/** Adds them to the manifest of a scaffold, with their handlers. */
export function addCapabilities(folder) {
  appendFileSync(join(folder, 'svc.yaml'), CAPABILITIES)
  for (const [file, [name, result]] of Object.entries(HANDLERS)) {
    writeFileSync(join(folder, `src/handlers/${file}.ts`), `export const ${name} = () => ${result}\n`)
    appendFileSync(join(folder, 'src/handlers/index.ts'), `export { ${name} } from './${file}.js'\n`)
  }
}

/** Lets the agent have tokens of its own to search, beside those that it is delegated. */
export function entitleAgent(folder) {
  const file = join(folder, 'api-keys.json')
  const keys = JSON.parse(readFileSync(file, 'utf8'))
  const entitled = keys.map((key) => (key.id === 'agent' ? { ...key, scopes: ['travel.search'] } : key))
  writeFileSync(file, JSON.stringify(entitled, null, 2))
}
