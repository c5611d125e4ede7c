import type { Severity } from '../diagnostics.js'
import type { FindingDetails } from '../finding.js'
import type { Capability, CompositionStep, Input, Manifest } from '../../protocol/manifest.js'
import type { Spot, YamlNode } from '../parse/tree.js'
import type { View } from '../shape/view.js'

/** S: the interface document says so. D: it follows. A: a decision. Y: YAML and files. L: a lint, which presets choose. */
export type RuleSource = 'S' | 'D' | 'A' | 'Y' | 'L'

export interface RuleFacts {
  /** `SVC` and four digits; never given to another rule. */
  readonly code: string
  readonly slug: string
  readonly severity: Severity
  readonly source: RuleSource
  /** Sections of the interface document. */
  readonly section?: string
  /** What must hold, as one sentence. */
  readonly law: string
  /** Why it matters or how to mend it, where the law does not say. */
  readonly why?: string
  /** Whether the place of a finding holds a secret: then no report shows it, and no comment suppresses it. */
  readonly secret?: true
}

/** Takes a finding of one rule. */
export type Tell = (spot: Spot, message: string, details?: FindingDetails) => void

export type ManifestView = View<Manifest>
export type CapabilityView = View<Capability>
export type InputView = View<Input>
export type StepView = View<CompositionStep>

/** What a rule may know. Everything in it is read-only and the same for all rules. */
export interface Whole {
  readonly manifest: ManifestView
  /** Every capability that could be read. */
  readonly capabilities: ReadonlyMap<string, CapabilityView>
  /** Whether a name is declared, be its declaration sound or not. */
  readonly declares: (name: string) => boolean
  /** The declared name that a wrong one most likely means. */
  readonly nearestCapability: (name: string) => string | undefined
  /** The documents as trees: the manifest, then its fragments. */
  readonly roots: readonly YamlNode[]
  /** The text as the author wrote it. */
  readonly written: (spot: Spot) => string
  /** The whole text of the file in which a node stands. */
  readonly fileOf: (node: YamlNode) => string
  /** The other services of the workspace: id -> names of capabilities. */
  readonly services: ReadonlyMap<string, ReadonlySet<string>>
  /** The time of the check, if one was given; ms since 1970. */
  readonly now?: number
  /** Computes something once for all capabilities. */
  readonly once: <T>(compute: (whole: Whole) => T) => T
}

export interface CapabilityFacts extends Whole {
  readonly name: string
  readonly capability: CapabilityView
}
export interface InputFacts extends CapabilityFacts {
  readonly input: InputView
}
export interface StepFacts extends CapabilityFacts {
  readonly step: StepView
}

/** A law and how to see that it is broken. Rules of the structure have no body: the table in `schema/` keeps them. */
export interface Rule extends RuleFacts {
  /** The field of the capability, or of the input, without which the rule has nothing to say. It is then not asked. */
  readonly needs?: keyof Capability | keyof Input
  readonly ofManifest?: (facts: Whole, tell: Tell) => void
  readonly ofCapability?: (facts: CapabilityFacts, tell: Tell) => void
  readonly ofInput?: (facts: InputFacts, tell: Tell) => void
  readonly ofStep?: (facts: StepFacts, tell: Tell) => void
}

/** Rules, those that need a field by that field: they are made when it is met. */
export interface RuleSet {
  /** Those that are always asked. */
  readonly always: readonly Rule[]
  readonly needing: { readonly [field: string]: () => readonly Rule[] }
  /** All of them, in the order of the interface document; also those without a body. */
  readonly all: () => readonly Rule[]
}
