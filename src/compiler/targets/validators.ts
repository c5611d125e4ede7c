import type { Input } from '../../protocol/manifest.js'
import { fieldMayBeNull } from '../../protocol/presence.js'
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
    module: (writer, module) => printModuleValidators(writer, plan, module),
    whole: (writer, _, modules) => {
      if (modules.length > 0) joinModules(writer, modules)
    },
  })

function printModuleValidators(writer: Writer, { modules }: Plan, { capabilities, identifier }: ModulePlan): void {
  printImport(writer, 'import', importsOf(capabilities), 'svc-kit/runtime')
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
  'type CapabilityValidators',
]

function printValidators(writer: Writer, { name, declaration }: CapabilityPlan): void {
  const { inputs } = declaration
  const block = (): void => {
    if (inputs.length === 0) writer.writeLine('input: {},')
    else printBlock(writer, 'input:', () => inputs.forEach((input) => printInput(writer, input)), '},')
    printOutput(writer, declaration)
  }
  printBlock(writer, `${nameText(name)}:`, block, '},')
}

function printInput(writer: Writer, { name, type, allowed_values }: Input): void {
  const start = `${nameText(name)}: inputValue`
  if (allowed_values === undefined) return void writer.writeLine(`${start}(${stringText(type)}),`)
  printListCall(writer, start, stringText(type), allowed_values.map(valueText), ',')
}

function printOutput(writer: Writer, { output, kind }: CapabilityPlan['declaration']): void {
  const items = output.fields.map((field) => {
    const type = stringText(field.type)
    return `${nameText(field.name)}: ${fieldMayBeNull(field, kind) ? `[${type}, 'null']` : type}`
  })
  if (items.length === 0) return void writer.writeLine('output: outputFields({}),')
  const line = `output: outputFields({ ${items.join(', ')} }),`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  printBlock(writer, 'output: outputFields(', () => items.forEach((item) => writer.writeLine(`${item},`)), '}),')
}
