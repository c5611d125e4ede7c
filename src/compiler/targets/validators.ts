import type { Input } from '../../protocol/manifest.js'
import type { CapabilityPlan } from '../plan/plan.js'
import { valueText } from '../print/values.js'
import { nameText, stringText } from '../print/text.js'
import { printBlock, printCall, printComment, printImport, printModule, type Writer } from '../print/typescript.js'
import type { Target } from './target.js'

/** `generated/validators.ts`: which of the runtime's checks holds for which value. */
export const validators: Target = ({ capabilities, header }) => [
  {
    path: 'generated/validators.ts',
    ownership: 'generated',
    text: printModule(header, (writer) => {
      printImport(writer, 'import', importsOf(capabilities), 'svc-kit/runtime')
      writer.blankLine()
      printComment(writer, ['Capability -> what its inputs and its output must be.'])
      const start = 'export const validators: { readonly [capability: string]: CapabilityValidators } ='
      if (capabilities.length === 0) writer.writeLine(`${start} {}`)
      else printBlock(writer, start, () => capabilities.forEach((capability) => printValidators(writer, capability)))
    }),
  },
]

const importsOf = (capabilities: readonly CapabilityPlan[]): readonly string[] => [
  ...(capabilities.some(({ declaration }) => declaration.inputs.length > 0) ? ['inputValue'] : []),
  ...(capabilities.length > 0 ? ['outputFields'] : []),
  'type CapabilityValidators',
]

function printValidators(writer: Writer, { name, declaration: { inputs, output } }: CapabilityPlan): void {
  printBlock(
    writer,
    `${nameText(name)}:`,
    () => {
      if (inputs.length === 0) writer.writeLine('input: {},')
      else printBlock(writer, 'input:', () => inputs.forEach((input) => printInput(writer, input)), '},')
      printOutput(writer, output.fields)
    },
    '},',
  )
}

function printInput(writer: Writer, { name, type, allowed_values }: Input): void {
  const start = `${nameText(name)}: inputValue(${stringText(type)}`
  if (allowed_values === undefined) return void writer.writeLine(`${start}),`)
  printCall(writer, `${start}, [`, allowed_values.map(valueText), ']),')
}

function printOutput(writer: Writer, fields: CapabilityPlan['declaration']['output']['fields']): void {
  const items = fields.map(({ name, type }) => `${nameText(name)}: ${stringText(type)}`)
  if (items.length === 0) return void writer.writeLine('output: outputFields({}),')
  printBlock(writer, 'output: outputFields(', () => items.forEach((item) => writer.writeLine(`${item},`)), '}),')
}
