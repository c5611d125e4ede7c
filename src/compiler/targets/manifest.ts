import type { CapabilityPlan, Plan } from '../plan/plan.js'
import { printJsonConstant } from '../print/json-constant.js'
import { stringText } from '../print/text.js'
import { printComment, printImport, printModule } from '../print/typescript.js'
import type { Target } from './target.js'

/**
 * `generated/manifest.ts`: the manifest as the runtime obeys it, as JSON text with one line a capability. Text costs a type
 * checker nothing, whatever its size, and every value comes back as it was written.
 */
export const manifest: Target = (plan) => [
  {
    path: 'generated/manifest.ts',
    ownership: 'generated',
    text: printModule(plan.headerFor(), (writer) => {
      printImport(writer, 'import type', ['Manifest'], 'svc-kit/runtime')
      writer.blankLineIfLastNot()
      printComment(writer, [`The manifest of ${plan.serviceId}, with defaults filled in.`])
      printJsonConstant(writer, 'manifest', 'Manifest', linesOf(plan))
    }),
  },
]

/** String literals: the head, a line a capability, the end. */
function linesOf({ manifest: { capabilities: _, ...rest }, capabilities, remember }: Plan): readonly string[] {
  const last = capabilities.at(-1)
  return [
    stringText(`${JSON.stringify(rest).slice(0, -1)},"capabilities":{`),
    ...capabilities.map((capability) =>
      remember(`manifest ${capability.name}`, [capability, capability === last], () =>
        stringText(`${entryOf(capability)}${capability === last ? '' : ','}`),
      ),
    ),
    stringText('}}'),
  ]
}

const entryOf = ({ name, declaration }: CapabilityPlan): string =>
  `${JSON.stringify(name)}:${JSON.stringify(declaration)}`
