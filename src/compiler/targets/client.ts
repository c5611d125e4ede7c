import { capabilityComment } from '../plan/comments.js'
import type { CapabilityPlan, Plan } from '../plan/plan.js'
import { nameText, stringText } from '../print/text.js'
import {
  fits,
  printBlock,
  printComment,
  printImport,
  printModule,
  printUnion,
  type Writer,
} from '../print/typescript.js'
import type { Target } from './target.js'

/** `generated/client.ts`: one typed method a capability, on the fixed core. */
export const client: Target = (plan) => [
  {
    path: 'generated/client.ts',
    ownership: 'generated',
    text: printModule(plan.header, (writer) => {
      printImports(writer, plan)
      for (const capability of plan.capabilities) printOutcome(writer, capability)
      printInterface(writer, plan)
      printFactory(writer, plan)
    }),
  },
]

function printImports(writer: Writer, { capabilities }: Plan): void {
  const names = [
    'connect',
    ...(capabilities.length > 0 ? ['type CallOptions', 'type CallRefusal'] : []),
    'type ClientOptions',
    ...(capabilities.some(({ callFailures }) => callFailures.length > 0) ? ['type Declared'] : []),
    'type Governance',
    ...(capabilities.length > 0 ? ['type Outcome', 'type Refused'] : []),
  ]
  printImport(writer, 'import', names, 'svc-kit/client')
  const types = capabilities.flatMap(({ typeName }) => [`${typeName}Output`, `${typeName}Parameters`])
  if (types.length > 0) printImport(writer, 'import type', types, './types.js')
  writer.blankLine()
  if (types.length > 0) writer.writeLine("export type * from './types.js'")
  writer.blankLine()
}

function printOutcome(writer: Writer, { name, typeName, refusals, callFailures }: CapabilityPlan): void {
  const declared = callFailures.length === 0 ? [] : [`Declared<${callFailures.map(stringText).join(' | ')}>`]
  printComment(writer, [`How ${name} may fail.`])
  printUnion(writer, `export type ${typeName}Failure =`, [
    'Refused<CallRefusal>',
    ...refusals.map((refusal) => `Refused<${stringText(refusal)}>`),
    ...declared,
  ])
  writer.writeLine(`export type ${typeName}Outcome = Outcome<${typeName}Output, ${typeName}Failure>`)
  writer.blankLine()
}

function printInterface(writer: Writer, { capabilities, serviceId }: Plan): void {
  printComment(writer, [`A client of ${serviceId}. Failures are values; only transport errors are thrown.`])
  printBlock(writer, 'export interface Client extends Governance<Client>', () =>
    capabilities.forEach((capability) => printMethod(writer, capability)),
  )
  writer.blankLine()
}

function printMethod(writer: Writer, { methodName, typeName, declaration, parameters }: CapabilityPlan): void {
  const mark = parameters.every(({ optional }) => optional) ? '?' : ''
  printComment(writer, capabilityComment(declaration))
  const items = [`parameters${mark}: ${typeName}Parameters`, 'options?: CallOptions']
  const line = `${nameText(methodName)}(${items.join(', ')}): Promise<${typeName}Outcome>`
  if (fits(writer, line)) return void writer.writeLine(line)
  writer.writeLine(`${nameText(methodName)}(`)
  writer.indent(() => items.forEach((item) => writer.writeLine(`${item},`)))
  writer.writeLine(`): Promise<${typeName}Outcome>`)
}

function printFactory(writer: Writer, { capabilities, serviceId }: Plan): void {
  printComment(writer, [`Makes a client of ${serviceId}.`])
  printBlock(writer, 'export function createClient(options: ClientOptions): Client', () =>
    printBlock(
      writer,
      'return connect<Client>(options,',
      () => {
        for (const { methodName, name, declaration } of capabilities) {
          const effect = stringText(declaration.side_effect.type)
          writer.writeLine(`${nameText(methodName)}: { capability: ${stringText(name)}, effect: ${effect} },`)
        }
      },
      '})',
    ),
  )
}
