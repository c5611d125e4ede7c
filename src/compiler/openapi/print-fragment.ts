import type { UpstreamTerms } from '../../protocol/upstream-terms.js'
import type { ImportedConsent } from './consents.js'
import { cleanText } from './clean-text.js'
import type { ImportedOperation, ImportedOperations } from './import-operations.js'
import type { ImportedOutput } from './output.js'
import type { ImportedType } from './schemas.js'
import type { ImportedInput } from './inputs.js'
import { memberLines, schemaLines, sharedLines } from './print-schema.js'
import { foldedMember, textOfYaml as text, yamlComment } from './yaml-text.js'

/** Suggested side effect for each HTTP method; a person decides. */
const SUGGESTED: { readonly [method: string]: string } = {
  get: 'read',
  query: 'read',
  head: 'read',
  options: 'read',
  put: 'write',
  patch: 'write',
  post: 'write',
  delete: 'irreversible',
}

/**
 * The capabilities as a file that a manifest includes, laid out as `svc fmt` does. Effect, scope, cost and approval
 * are TODO.
 */
export function fragmentOf(
  upstream: string,
  { operations, schemas }: ImportedOperations,
  answers: UpstreamTerms['answers'] = 'loose',
  consent?: ImportedConsent,
): string {
  const shared = sharedLines(schemas)
    .map((line) => `${line}\n`)
    .join('')
  const texts = operations.map((each) => capabilityText(upstream, termsText(upstream, answers, each, consent), each))
  const written = `capabilities:\n${texts.join('\n')}`
  return `${written}${shared === '' ? '' : `\n${shared}`}`
}

const termsText = (
  upstream: string,
  answers: string,
  { name }: ImportedOperation,
  consent: ImportedConsent | undefined,
): string => `answers: ${answers}${consent?.capabilities.includes(name) === true ? `, connection: ${upstream}` : ''}`

function capabilityText(upstream: string, terms: string, operation: ImportedOperation): string {
  const { name, title, description, inputs, output } = operation
  const { method, path } = operation.operation
  const effect = SUGGESTED[method] ?? 'write'
  const lines = [
    `  ${name}:`,
    foldedMember('description', description, 4),
    '    contract_version: 1.0.0',
    `    side_effect: TODO # ${method.toUpperCase()} suggests { type: ${effect} }`,
    `    minimum_scope: TODO # such as [${upstream}.${effect === 'read' ? 'read' : 'write'}]`,
    ...(inputs.length === 0 ? ['    inputs: []'] : ['    inputs:', ...inputs.flatMap(inputLines)]),
    '    output:',
    `      type: ${name}_result`,
    '      fields:',
    ...fieldLines(output),
    '    cost: TODO # remove this line where a call costs nothing',
    '    approval: TODO # remove this line where nobody must approve a call',
    ...(title === '' ? [] : [foldedMember('x-title', title, 4)]),
    `    x-upstream: { ${terms} }`,
    '    observability: { logged: true, retention: P90D, fields_logged: [] }',
    '    x-failures:',
    '      unsafe_parameter: A value would have led to another path or header.',
    foldedMember('upstream_refused', `The service behind refused ${method.toUpperCase()} ${cleanText(path).text}.`, 6),
    '      upstream_unavailable: The service behind did not answer.',
  ]
  return `${lines.join('\n')}\n`
}

function inputLines({ name, required, flat }: ImportedInput): readonly string[] {
  const about = cleanText(flat.description).text
  const given = flat.default
  const lost = [...new Set(flat.notCarried)].join(', ')
  return [
    `      - name: ${name}${lost === '' ? '' : ` # not carried: ${yamlComment(lost)}`}`,
    `        type: ${flat.type}`,
    ...(required ? [] : ['        required: false']),
    ...(required || given === undefined ? [] : [`        default: ${text(given as string | number | boolean)}`]),
    ...(about === '' ? [] : [foldedMember('description', about, 8)]),
    ...(flat.allowed.length === 0 ? [] : memberLines('allowed_values', flat.allowed, 8)),
    ...schemaLines(flat.schema, 8),
  ]
}

const ONE = {
  items: 'What was found.',
  value: 'What the service behind answered.',
  status: 'The status of the answer.',
  location: 'The address of what was made.',
} as const

function fieldLines(output: ImportedOutput): readonly string[] {
  if (output.kind === 'status')
    return [
      `        - { name: status, type: integer, description: ${ONE.status} }`,
      ...(output.location
        ? [`        - { name: location, type: [string, 'null'], description: ${ONE.location} }`]
        : []),
    ]
  if (output.kind === 'members')
    return output.fields.flatMap((field) => outputLines(field.name, field.flat, field.mayBeNull))
  const { kind, flat } = output
  return outputLines(kind, { ...flat, description: flat.description || ONE[kind] }, flat.nullable)
}

function outputLines(name: string, { type, description, schema }: ImportedType, mayBeNull: boolean): readonly string[] {
  const written = mayBeNull && type !== 'any' ? `[${type}, 'null']` : type
  const about = description === '' ? '' : `, description: ${text(description)}`
  const short = `        - { name: ${name}, type: ${written}${about} }`
  if (schema === undefined && short.length <= 120) return [short]
  return [
    `        - name: ${name}`,
    `          type: ${written}`,
    ...(about === '' ? [] : [foldedMember('description', description, 10)]),
    ...schemaLines(schema, 10),
  ]
}
