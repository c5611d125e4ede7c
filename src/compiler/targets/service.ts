import type { CapabilityPlan, Plan } from '../plan/plan.js'
import { accessText, nameText } from '../print/text.js'
import { printBlock, printComment, printImport, printModule, type Writer } from '../print/typescript.js'
import type { Target } from './target.js'

/** `generated/service.ts`: ties the author's handlers to the runtime; its options demand what the manifest needs. */
export const service: Target = (plan) => [
  {
    path: 'generated/service.ts',
    ownership: 'generated',
    text: printModule(plan.headerFor(), (writer) => {
      printImports(writer, plan)
      printOptions(writer, plan)
      printFactory(writer, plan)
    }),
  },
]

function printImports(writer: Writer, { demands }: Plan): void {
  const hasPreviews = demands.previews.length > 0
  const fromRuntime = [
    'createService as createRuntime',
    ...(hasPreviews ? ['present'] : []),
    ...(demands.actorPolicy ? ['type ActorPolicy'] : []),
    ...(demands.bindings ? ['type BindingResolver'] : []),
    'type RuntimeOptions',
    'type Service',
  ]
  printImport(writer, 'import', fromRuntime, 'svc-kit/runtime')
  const contract = [
    'Handlers',
    ...(hasPreviews ? ['Previews'] : []),
    ...(demands.resolvers.length > 0 ? ['Resolvers'] : []),
  ]
  printImport(writer, 'import type', contract, './handlers.js')
  printImport(writer, 'import', ['manifest'], './manifest.js')
  printImport(writer, 'import', ['validators'], './validators.js')
  writer.blankLineIfLastNot()
}

function printOptions(writer: Writer, { demands, serviceId }: Plan): void {
  printComment(writer, [`What ${serviceId} needs to run.`])
  printBlock(writer, 'export interface ServiceOptions extends RuntimeOptions', () => {
    writer.writeLine('readonly handlers: Handlers')
    if (demands.previews.length > 0) writer.writeLine('readonly previews?: Previews')
    if (demands.resolvers.length > 0) writer.writeLine('readonly resolvers: Resolvers')
    if (demands.actorPolicy) {
      printComment(writer, ['Derives values from who calls.'])
      writer.writeLine('readonly actorPolicy: ActorPolicy')
    }
    if (demands.bindings) {
      printComment(writer, [
        'Looks up bindings that were issued elsewhere; asked for ids that this service has not issued.',
      ])
      writer.writeLine('readonly resolveBinding?: BindingResolver')
    }
  })
  writer.blankLineIfLastNot()
}

function printFactory(writer: Writer, { capabilities, demands, serviceId }: Plan): void {
  const members = [
    'handlers',
    ...(demands.previews.length > 0 ? ['previews'] : []),
    ...(demands.resolvers.length > 0 ? ['resolvers'] : []),
    ...(demands.actorPolicy ? ['actorPolicy'] : []),
    ...(demands.bindings ? ['resolveBinding'] : []),
  ]
  printComment(writer, [`Makes ${serviceId}: checks its configuration and opens it for calls.`])
  printBlock(writer, 'export function createService(options: ServiceOptions): Promise<Service>', () => {
    writer.writeLine(`const { ${members.join(', ')}, ...runtime } = options`)
    printBlock(writer, 'return createRuntime(', () => printRuntimeOptions(writer, capabilities, demands, members), '})')
  })
}

function printRuntimeOptions(
  writer: Writer,
  capabilities: readonly CapabilityPlan[],
  { previews }: Plan['demands'],
  members: readonly string[],
): void {
  writer.writeLine('...runtime,')
  writer.writeLine('definition: { manifest, validators, place: import.meta.url },')
  printBlock(
    writer,
    'implementation:',
    () => {
      printMap(
        writer,
        'handlers:',
        'handlers',
        capabilities.filter(({ hasHandler }) => hasHandler),
        '},',
      )
      if (previews.length > 0) printMap(writer, 'previews: present(', 'previews?', previews, '}),')
      for (const member of members)
        if (member !== 'handlers' && member !== 'previews')
          writer.writeLine(member === 'resolvers' ? 'resolvers: { ...resolvers },' : `${member},`)
    },
    '},',
  )
}

function printMap(
  writer: Writer,
  start: string,
  object: string,
  capabilities: readonly CapabilityPlan[],
  end: string,
): void {
  if (capabilities.length === 0) return void writer.writeLine(`${start} {${end}`)
  printBlock(
    writer,
    start,
    () =>
      capabilities.forEach(({ name, identifier }) =>
        writer.writeLine(`${nameText(name)}: ${accessText(object, identifier)},`),
      ),
    end,
  )
}
