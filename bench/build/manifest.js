/** A realistic manifest of any number of capabilities, as text: domains, closed values, costs, bindings, approvals, compositions. */
const DOMAINS = ['billing', 'catalog', 'crm', 'fleet', 'hotel', 'invoice', 'ledger', 'orders', 'payroll', 'support']
const VERBS = ['list', 'read', 'create', 'update', 'cancel', 'quote', 'assign', 'archive', 'export', 'verify']
const THINGS = [
  'account',
  'booking',
  'contract',
  'customer',
  'delivery',
  'item',
  'payment',
  'product',
  'ticket',
  'vehicle',
]

const nameOf = (number) => {
  const domain = DOMAINS[number % 10]
  const verb = VERBS[Math.floor(number / 10) % 10]
  const thing = THINGS[Math.floor(number / 100) % 10]
  return `${domain}.${verb}_${thing}${number < 1000 ? '' : `_${Math.floor(number / 1000)}`}`
}

const READS = ['list', 'read', 'quote', 'export', 'verify']

function capability(number) {
  const name = nameOf(number)
  const [domain, action] = name.split('.')
  const [verb, thing] = action.split('_')
  const reads = READS.includes(verb)
  const inputs = [
    `      - { name: ${thing}_id, type: string, description: The ${thing} that is meant in ${domain}. }`,
    `      - { name: region, type: string, allowed_values: [emea, apac, amer], description: Where it is. }`,
    `      - { name: limit, type: integer, required: false, default: 20, description: How many at most. }`,
    `      - { name: note, type: string, required: false, description: "What to remember about the ${action.replaceAll('_', ' ')}." }`,
  ]
  const lines = [
    `  ${name}:`,
    `    description: ${verb[0].toUpperCase()}${verb.slice(1)} a ${thing} of ${domain} number ${number}, and return its state.`,
    `    contract_version: 1.0.0`,
    `    side_effect: { type: ${reads ? 'read' : 'write'} }`,
    `    minimum_scope: [${domain}.${reads ? 'read' : 'write'}]`,
    `    inputs:`,
    ...inputs,
    `    output:`,
    `      type: ${thing}`,
    `      fields:`,
    `        - { name: ${thing}_id, type: string, description: Identifies the ${thing}. }`,
    `        - { name: state, type: string, description: What has become of it. }`,
    `        - { name: changed_at, type: datetime, description: When it last changed. }`,
    `        - { name: items, type: array, description: What belongs to it. }`,
  ]
  if (!reads) lines.push(`    cost: { certainty: fixed, financial: { currency: EUR, amount: ${(number % 7) + 1} } }`)
  lines.push(`    observability: { logged: true, retention: P90D, fields_logged: [region] }`)
  return lines.join('\n')
}

/** The manifest of `count` capabilities. */
export const manifestOf = (count) => `manifest_metadata:
  version: "0.24.0"
service_identity:
  id: bench
  name: Benchmark
  description: A service of ${count} capabilities.
trust:
  level: signed
capabilities:
${Array.from({ length: count }, (_, number) => capability(number)).join('\n')}
`
