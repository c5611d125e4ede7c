import type { Input } from '../../protocol/manifest.js'
import { fieldMayBeNull } from '../../protocol/presence.js'
import { checkedFields, type CheckedField } from '../plan/checked-fields.js'
import type { CapabilityPlan, ModulePlan, Plan } from '../plan/plan.js'
import { valueText } from '../print/values.js'
import { nameText, stringText } from '../print/text.js'
import { fitsOneLine, printBlock, printComment, printImport, printListCall, type Writer } from '../print/typescript.js'
import { modularFiles } from './modules.js'
import type { Target } from './target.js'

const TYPE = '{ readonly [capability: string]: CapabilityValidators }'

/** `generated/validators.ts`: which of the runtime's checks holds for which value. */
export const validators: Target = (plan) =>
  modularFiles(plan, {
    name: 'validators',
    module: (writer, module, up) => printModuleValidators(writer, plan, module, up),
    whole: (writer, _, modules) => {
      if (modules.length > 0) joinModules(writer, modules)
    },
  })

function printModuleValidators(
  writer: Writer,
  { modules }: Plan,
  { capabilities, identifier }: ModulePlan,
  up: string,
): void {
  printImport(writer, 'import', importsOf(capabilities), 'svc-kit/runtime')
  const checks = capabilities.flatMap((capability) => Object.values(checkedFields(capability)).flat())
  if (checks.length > 0)
    printImport(
      writer,
      'import',
      checks.map(({ check }) => check),
      `${up}checks.js`,
    )
  writer.blankLineIfLastNot()
  printComment(writer, ['Capability -> what its inputs and its output must be.'])
  const start = `export const ${modules.length === 1 ? 'validators' : `${identifier}Validators`}: ${TYPE} =`
  if (capabilities.length === 0) writer.writeLine(`${start} {}`)
  else printBlock(writer, start, () => capabilities.forEach((capability) => printValidators(writer, capability)))
}

function joinModules(writer: Writer, modules: readonly ModulePlan[]): void {
  printImport(writer, 'import type', ['CapabilityValidators'], 'svc-kit/runtime')
  for (const { name, identifier } of modules)
    printImport(writer, 'import', [`${identifier}Validators`], `./validators/${name}.js`)
  writer.blankLineIfLastNot()
  printComment(writer, ['Capability -> what its inputs and its output must be.'])
  printBlock(writer, `export const validators: ${TYPE} =`, () =>
    modules.forEach(({ identifier }) => writer.writeLine(`...${identifier}Validators,`)),
  )
}

const importsOf = (capabilities: readonly CapabilityPlan[]): readonly string[] => [
  ...(capabilities.some(({ declaration }) => declaration.inputs.length > 0) ? ['inputValue'] : []),
  ...(capabilities.length > 0 ? ['outputFields'] : []),
  ...(capabilities.some((capability) => checkedFields(capability).inputs.length > 0) ? ['structured'] : []),
  'type CapabilityValidators',
]

function printValidators(writer: Writer, capability: CapabilityPlan): void {
  const { name, declaration } = capability
  const { inputs } = declaration
  const checked = checkedFields(capability)
  const block = (): void => {
    if (inputs.length === 0) writer.writeLine('input: {},')
    else printBlock(writer, 'input:', () => inputs.forEach((input) => printInput(writer, input, checked.inputs)), '},')
    printOutput(writer, declaration, checked.output)
  }
  printBlock(writer, `${nameText(name)}:`, block, '},')
}

function printInput(writer: Writer, { name, type, allowed_values }: Input, checked: readonly CheckedField[]): void {
  const check = checked.find(({ field }) => field === name)?.check
  const start = `${nameText(name)}: ${check === undefined ? '' : 'structured('}inputValue`
  const end = check === undefined ? ',' : `, ${check}),`
  if (allowed_values === undefined) return printCall(writer, `${start}(${stringText(type)})${end}`, start, end, type)
  printListCall(writer, start, stringText(type), allowed_values.map(valueText), end)
}

/** One line, or one argument a line. */
function printCall(writer: Writer, line: string, start: string, end: string, type: string): void {
  if (fitsOneLine(writer, line) || end === ',') return void writer.writeLine(line)
  writer.writeLine(start.slice(0, -'inputValue'.length))
  writer.indent(() => {
    writer.writeLine(`inputValue(${stringText(type)}),`)
    writer.writeLine(`${end.slice(2, -2)},`)
  })
  writer.writeLine('),')
}

function printOutput(
  writer: Writer,
  { output, kind }: CapabilityPlan['declaration'],
  checked: readonly CheckedField[],
): void {
  const items = output.fields.map((field) => {
    const type = stringText(field.type)
    return `${nameText(field.name)}: ${fieldMayBeNull(field, kind) ? `[${type}, 'null']` : type}`
  })
  const checks = checked.map(({ field, check }) => `${nameText(field)}: ${check}`)
  if (items.length === 0) return void writer.writeLine('output: outputFields({}),')
  const more = checks.length === 0 ? '' : `, { ${checks.join(', ')} }`
  const line = `output: outputFields({ ${items.join(', ')} }${more}),`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  if (checks.length === 0)
    return printBlock(
      writer,
      'output: outputFields(',
      () => items.forEach((item) => writer.writeLine(`${item},`)),
      '}),',
    )
  writer.writeLine('output: outputFields(')
  writer.indent(() => [items, checks].forEach((members) => printObject(writer, members)))
  writer.writeLine('),')
}

function printObject(writer: Writer, members: readonly string[]): void {
  const line = `{ ${members.join(', ')} },`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  writer.writeLine('{')
  writer.indent(() => members.forEach((member) => writer.writeLine(`${member},`)))
  writer.writeLine('},')
}
