import { describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { compareManifests } from '../../../src/compiler/diff/compare.js'
import type { Manifest } from '../../../src/protocol/manifest.js'

const TEXT = `# A bakery.
manifest_metadata: { version: "0.24.0" }
service_identity:
  id: bakery
  name: Bakery
trust: { level: anchored, anchoring: { cadence: hourly } }
approvals: { approver_scope: bakery.approver, request_ttl: PT24H }
capabilities:
  quote:
    description: Quote the price of some loaves.
    contract_version: 1.4.2
    side_effect: { type: read }
    minimum_scope: [bakery.read]
    inputs:
      - name: loaves
        type: integer
        description: How many.
      - name: kind
        type: string
        required: false
        default: rye
        description: What bread.
        allowed_values: [rye, spelt]
        resolution: { mode: closed_values, on_missing: use_default }
    output:
      type: quote
      fields: [quote_id, price]
  order:
    description: Order bread at the quoted price.
    contract_version: 2.0.0
    side_effect: { type: transactional, rollback_window: PT24H, compensation: cancel }
    minimum_scope: [bakery.order]
    inputs:
      - { name: quote_id, type: string, description: The quote. }
    output: { type: order, fields: [order_id] }
    cost: { certainty: estimated, financial: { currency: EUR, range_min: 5, range_max: 50 } }
    requires_binding: [{ type: quote, field: quote_id, source_capability: quote, max_age: PT15M }]
    approval:
      required: always
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 600, max_uses: 1 }
    observability: { retention: P90D, fields_logged: [quote_id] }
  cancel:
    description: Take an order back.
    contract_version: 0.3.1
    side_effect: { type: write }
    minimum_scope: [bakery.order]
    inputs:
      - { name: order_id, type: string, description: The order. }
    output: { type: order, fields: [order_id] }
`

const replaced = (from: string, to: string) => (text: string) => {
  if (!text.includes(from)) throw new Error(`The text has no ${from}.`)
  return text.replace(from, to)
}
const joined =
  (...edits: readonly ((text: string) => string)[]) =>
  (text: string) =>
    edits.reduce((so, edit) => edit(so), text)
const quoteBump = (version: string) => replaced('1.4.2', version)

/** Edits that change no contract, or say by their version what they change. */
const EDITS: { readonly [what: string]: (text: string) => string } = {
  'a comment at the top': (text) => `# New.\n${text}`,
  'no comment': replaced('# A bakery.\n', ''),
  'a comment beside a field': replaced('    contract_version: 1.4.2', '    contract_version: 1.4.2 # unchanged'),
  'an empty line': replaced('  order:\n', '\n  order:\n'),
  'CR LF': (text) => text.replaceAll('\n', '\r\n'),
  'no end of line at the end': (text) => text.trimEnd(),
  'quotes around a text': replaced('id: bakery', "id: 'bakery'"),
  'double quotes': replaced('name: Bakery', 'name: "Bakery"'),
  'a block instead of a flow': replaced('side_effect: { type: read }', 'side_effect:\n      type: read'),
  'a flow instead of a block': replaced('      type: quote\n      fields: [quote_id, price]', '      { type: quote, fields: [quote_id, price] }'),
  'members in another order': replaced('trust: { level: anchored, anchoring: { cadence: hourly } }', 'trust: { anchoring: { cadence: hourly }, level: anchored }'),
  'a list by dashes': replaced('[rye, spelt]', '\n          - rye\n          - spelt'),
  'a folded description': replaced('description: Order bread at the quoted price.', 'description: >-\n      Order bread\n      at the quoted price.'),
  'an anchor and an alias': joined(replaced('minimum_scope: [bakery.order]', 'minimum_scope: &order [bakery.order]'), (text) => text.replace(/minimum_scope: \[bakery\.order\]/u, 'minimum_scope: *order')),
  'capabilities in another order': (text) => {
    const at = text.indexOf('  cancel:')
    const from = text.indexOf('  quote:')
    return text.slice(0, from) + text.slice(at) + text.slice(from, at)
  },
  'a default that is said': replaced('    output: { type: order, fields: [order_id] }\n    cost', '    kind: atomic\n    output: { type: order, fields: [order_id] }\n    cost'),
  'response modes that are the default': replaced('    requires_binding', '    response_modes: [unary]\n    requires_binding'),
  'required: true that is the default': replaced('description: How many.', 'required: true\n        description: How many.'),
  'limits that are the defaults': (text) => `${text}limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 }\n`,
  'a name for people': replaced('name: Bakery', 'name: The bakery'),
  'a description of the service': replaced('name: Bakery', 'name: Bakery\n  description: Sells bread.'),
  'a description, with a patch': joined(quoteBump('1.4.3'), replaced('some loaves.', 'a few loaves.')),
  'a description below 1.0.0, with a patch': joined(replaced('0.3.1', '0.3.2'), replaced('Take an order back.', 'Take one order back.')),
  'an optional input, with a minor': joined(quoteBump('1.5.0'), replaced('      - name: kind', '      - { name: day, type: date, required: false, description: When. }\n      - name: kind')),
  'an optional input, with a major that is not needed': joined(quoteBump('2.0.0'), replaced('      - name: kind', '      - { name: day, type: date, required: false, description: When. }\n      - name: kind')),
  'one more output field, with a minor': joined(quoteBump('1.5.0'), replaced('[quote_id, price]', '[quote_id, price, until]')),
  'output fields in another order, with a patch': joined(quoteBump('1.4.3'), replaced('[quote_id, price]', '[price, quote_id]')),
  'a new capability under a new scope': (text) => `${text}  read_order:\n    description: Read an order.\n    contract_version: 0.1.0\n    side_effect: { type: read }\n    minimum_scope: [bakery.orders]\n    inputs: []\n    output: { type: order, fields: [order_id] }\n`,
  'a longer rollback window, with a minor': joined(replaced('2.0.0', '2.1.0'), replaced('rollback_window: PT24H', 'rollback_window: P2D')),
  'a window of the same length': replaced('rollback_window: PT24H', 'rollback_window: P1D'),
  'a longer retention, with a minor': joined(replaced('2.0.0', '2.1.0'), replaced('P90D', 'P180D')),
  'one more field in the log, with a minor': joined(quoteBump('1.5.0'), replaced('      fields: [quote_id, price]\n', '      fields: [quote_id, price]\n    observability: { fields_logged: [loaves] }\n')),
  'a shorter life of a token that names none': (text) => `${text}limits: { default_ttl_hours: 1 }\n`,
  'a higher least price, with a minor': joined(replaced('2.0.0', '2.1.0'), replaced('range_min: 5', 'range_min: 6')),
  'streamed answers, with a minor': joined(quoteBump('1.5.0'), replaced('      fields: [quote_id, price]\n', '      fields: [quote_id, price]\n    response_modes: [unary, streaming]\n')),
  'what a value means, with a minor': joined(quoteBump('1.5.0'), replaced('        allowed_values', '        input_meanings: { rye: Dark bread }\n        allowed_values')),
  'a semantic type, with a patch': joined(quoteBump('1.4.3'), replaced('description: How many.', 'semantic_type: count\n        description: How many.')),
  'a guarantee, with a minor': joined(quoteBump('1.5.0'), replaced('      fields: [quote_id, price]\n', '      fields: [quote_id, price]\n    business_effects: { does_not_produce: [order.made] }\n')),
  'a hint to refresh, with a patch': joined(replaced('2.0.0', '2.0.1'), replaced('    observability: { retention', '    refresh_via: [quote]\n    observability: { retention')),
  'checkpoints more often': replaced('cadence: hourly', 'cadence: PT10M'),
  'a hint to verify, with a minor': joined(replaced('2.0.0', '2.1.0'), replaced('    observability: { retention', '    verify_via: [quote]\n    observability: { retention')),
  'a failure of the business, with a minor': joined(quoteBump('1.5.0'), replaced('      fields: [quote_id, price]\n', '      fields: [quote_id, price]\n    x-failures: { sold_out: There is no bread. }\n')),
} // prettier-ignore

const read = (text: string): Manifest => {
  const { manifest, diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  if (manifest === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'))
  return manifest
}

describe('safe edits', () => {
  it('are at least forty', () => {
    expect(Object.keys(EDITS).length).toBeGreaterThanOrEqual(40)
  })

  it.each(Object.entries(EDITS))('break, weaken and ask for nothing: %s', (_, edit) => {
    const text = edit(TEXT)
    expect(text).not.toBe(TEXT)
    const changes = compareManifests(
      { manifest: read(TEXT), isServed: false },
      { manifest: read(text), isServed: false },
    )
    expect(changes.filter(({ effect, weakens }) => effect !== 'compatible' || weakens)).toEqual([])
  })
})
