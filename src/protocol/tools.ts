/**
 * The capabilities as tools of a model: what every surface and adapter for agents is made from (decisions, section 10).
 */
import {
  approvalNeed,
  approvalSentence,
  costSentence,
  EFFECT_SENTENCES,
  type ApprovalNeed,
} from './capability-sentence.js'
import { isFinancial } from './discovery.js'
import type { Capability, FinancialCost, JsonObject, Manifest } from './manifest.js'
import { toolInputSchema, toolOutputSchema } from './tool-schemas.js'
import { schemasOf } from './value-schema.js'
import type { CostCertainty, SideEffectType } from './words.js'

/** A capability as a model is told of it. */
export interface Tool {
  /** The capability with `__` for `.`: no framework takes a dot. */
  readonly name: string
  readonly title: string
  /** The capability's own, and a sentence of its effect, cost and approval; at most 1,024 characters. */
  readonly description: string
  readonly capability: string
  readonly contract_version: string
  readonly input_schema: JsonObject
  readonly output_schema: JsonObject
  readonly effect: SideEffectType
  /** Share of calls that need an approval. A composition needs what its steps need. */
  readonly approval: ApprovalNeed
  readonly minimum_scope: readonly string[]
  /** True if a call can cost money, by itself or by a step. */
  readonly financial: boolean
  readonly cost?: { readonly certainty: CostCertainty } & FinancialCost
}

/** `tools.json`; its canonical bytes have the digest `manifest_metadata.x-tools-sha256` of the signed manifest. */
export interface ToolsDocument {
  readonly service_id: string
  /** In the order of their capabilities' names. */
  readonly tools: readonly Tool[]
}

/** The tools of a manifest. Nothing but the manifest enters them: no handler, no preview, no data. */
export const toolsOf = (manifest: Manifest): ToolsDocument => ({
  service_id: manifest.service_identity.id,
  tools: Object.keys(manifest.capabilities)
    .sort()
    .map((name) => toolOf(name, manifest.capabilities[name]!, manifest)),
})

/** The name of a capability as a tool: no framework takes a dot. */
export const toolNameOf = (capability: string): string => capability.replaceAll('.', '__')

function toolOf(name: string, capability: Capability, manifest: Manifest): Tool {
  const { contract_version, inputs, side_effect, minimum_scope, cost } = capability
  const approval = needOf(capability, manifest)
  const shared = schemasOf(manifest)
  return {
    name: toolNameOf(name),
    title: titleOf(name, capability),
    description: descriptionOf(capability, approval),
    capability: name,
    contract_version,
    input_schema: toolInputSchema(inputs, shared),
    output_schema: toolOutputSchema(capability, shared),
    effect: side_effect.type,
    approval,
    minimum_scope,
    financial: isFinancial(manifest, capability),
    ...(cost?.financial !== undefined && { cost: { certainty: cost.certainty, ...cost.financial } }),
  }
}

function needOf(capability: Capability, { capabilities }: Manifest): ApprovalNeed {
  const own = approvalNeed(capability)
  const steps = capability.composition?.steps ?? []
  const asks = steps.some((step) => capabilities[step.capability]?.approval !== undefined)
  return own === 'never' && asks ? 'sometimes' : own
}

/** `x-title`, else the words of the name: `pay.charge_card` is `Pay charge card`. */
function titleOf(name: string, { extensions }: Capability): string {
  const title = extensions?.['x-title']
  if (typeof title === 'string' && title.trim() !== '') return title
  const words = name.replaceAll(/[._]/gu, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const LONGEST = 1024

function descriptionOf(capability: Capability, approval: ApprovalNeed): string {
  const effect = EFFECT_SENTENCES[capability.side_effect.type]
  const told = [effect, costSentence(capability), approvalSentence(approval)].filter((each) => each !== '').join(' ')
  const text = capability.description.trim()
  const own = /[.!?]$/u.test(text) ? text : `${text}.`
  return `${shortened(own, LONGEST - told.length - 1)} ${told}`
}

/** At most so long, and no half of a character. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length >= most) break
    kept += character
  }
  return `${kept}…`
}
