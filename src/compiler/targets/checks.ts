import { schemasOf, type ValueSchema } from '../../protocol/value-schema.js'
import { checkedFields, type CheckedField } from '../plan/checked-fields.js'
import type { Plan } from '../plan/plan.js'
import { standaloneOf } from '../print/standalone.js'
import { printImport, printModule, type Writer } from '../print/typescript.js'
import type { Target } from './target.js'

/** `generated/checks.ts`: what is inside structured values, as plain code. Nothing where no value has a schema. */
export const checks: Target = (plan) => {
  const fields = plan.capabilities.flatMap((capability) => {
    const { inputs, output } = checkedFields(capability)
    return [...inputs, ...output]
  })
  if (fields.length === 0) return []
  const text = plan.remember('checks', [JSON.stringify([fields, schemasOf(plan.manifest)])], () => codeOf(plan, fields))
  return [{ path: 'generated/checks.ts', ownership: 'generated', text }]
}

function codeOf(plan: Plan, fields: readonly CheckedField[]): string {
  const schemas = new Map<string, ValueSchema>(fields.map(({ check, schema }) => [check, schema]))
  const { text, needs } = standaloneOf(schemas, schemasOf(plan.manifest))
  return printModule(plan.headerFor(), (writer) => {
    // The code is ajv's: plain functions, whose types stand where they are used.
    writer.writeLine('// @ts-nocheck')
    writer.blankLineIfLastNot()
    printNeeds(writer, needs)
    const lines = text.split('\n').filter((line) => line !== '')
    // In a function of its own, so that the file has declarations without looking at ajv's code.
    writer.writeLine('const checks: { readonly [check: string]: ValueCheck } = (() => {')
    for (const line of lines.filter((each) => !EXPORTED.test(each))) writer.writeLine(line)
    writer.writeLine(`return { ${lines.flatMap(namedBy).join(', ')} }`)
    writer.writeLine('})()')
    for (const check of schemas.keys()) writer.writeLine(`export const ${check}: ValueCheck = checks.${check}`)
  })
}

const EXPORTED = /^export const (\w+) = (\w+);$/u

function namedBy(line: string): readonly string[] {
  const [, check, validate] = EXPORTED.exec(line) ?? []
  return check === undefined ? [] : [`${check}: ${validate}`]
}

const HOME_OF_PATTERNS = 'linearPattern'

function printNeeds(writer: Writer, needs: ReadonlySet<string>): void {
  const core = [...needs].filter((name) => name !== HOME_OF_PATTERNS).sort()
  printImport(writer, 'import', [...core, 'type ValueCheck'], 'svc-kit/runtime')
  if (needs.has(HOME_OF_PATTERNS)) printImport(writer, 'import', [HOME_OF_PATTERNS], 'svc-kit/runtime/patterns')
  writer.blankLineIfLastNot()
}
