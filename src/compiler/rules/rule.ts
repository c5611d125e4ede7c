import type { Severity } from '../diagnostics.js'
import type { FindingDetails } from '../finding.js'
import type { Capability, Input } from '../../protocol/manifest.js'
import type { Span, YamlNode } from '../parse/tree.js'
import type { SchemaPart } from './schema-part.js'
import type { CapabilityExtensions, CapabilityView, InputView, ManifestView, StepView } from '../shape/view.js'

/**
 * S: the interface document says so. D: it follows. A: a decision. Y: YAML and files. L: a lint, which presets choose.
 */
export type RuleSource = 'S' | 'D' | 'A' | 'Y' | 'L'

export interface RuleFacts {
  /** `SVC` and four digits; never given to another rule. */
  readonly code: string
  readonly slug: string
  readonly severity: Severity
  readonly source: RuleSource
  /** Its part of the published JSON Schema. Only an error has one: a schema refuses, and does not warn. */
  readonly schema?: SchemaPart
  /** Reason why JSON Schema cannot express the rule, or the rest of it: a sentence. */
  readonly whyNot?: string
  /** Sections of the interface document. */
  readonly section?: string
  /** Requirement, as one sentence. */
  readonly description: string
  /** Reason for the rule or its remedy, where the description lacks it. */
  readonly why?: string
  /** True if the place of a finding holds a secret: no report shows it, and no comment suppresses it. */
  readonly secret?: true
  /** Relation of its findings to those of other rules. */
  readonly role?: RuleRole
}

/** Role of a rule in `explain/`: whether it finds causes or consequences. */
export interface RuleRole {
  /** The text is not YAML, which hides what else is wrong with it. */
  readonly isSyntax?: true
  /** Share of its findings that a broken layout causes. Findings about syntax say so themselves. */
  readonly ofLayout?: 'often' | 'sometimes'
  /** True if a missing part may be elsewhere in a broken layout: the layout is corrected first. */
  readonly isLeftToLayout?: true
  /** A finding that says little, always or where it suggests nothing: its cause says more. */
  readonly isVague?: 'always' | 'without a suggestion'
  /** A name is misspelt in its declaration: that it is not declared, as it was meant, is an echo. */
  readonly isOfDeclaration?: true
  /** It is about a part of a token: where all of the token is wrong, too, that is one finding. */
  readonly isOfPart?: true
  /** One remedy serves all its findings of a file: one is reported for them. */
  readonly isOncePerFile?: true
  /** A report for people shows the first of those that say the same of a file, and where the others are. */
  readonly isGrouped?: true
}

/** Takes a finding of one rule. */
export type RuleReport = (span: Span, message: string, details?: FindingDetails) => void

export type { CapabilityView, InputView, ManifestView, StepView }

/** Input of a rule: read-only, and the same for all rules. */
export interface RuleContext {
  readonly manifest: ManifestView
  /** Every capability that could be read. */
  readonly capabilities: ReadonlyMap<string, CapabilityView>
  /** Checks whether a name is declared, even if its declaration has errors. */
  readonly declares: (name: string) => boolean
  /** The declared name that a wrong one most likely means. */
  readonly nearestCapability: (name: string) => string | undefined
  /** The documents as trees: the manifest, then its fragments. */
  readonly roots: readonly YamlNode[]
  /** The text as the author wrote it. */
  readonly written: (span: Span) => string
  /** The text of the file that holds a node. */
  readonly fileOf: (node: YamlNode) => string
  /** The other services of the workspace: id -> names of capabilities. */
  readonly services: ReadonlyMap<string, ReadonlySet<string>>
  /** The time of the check, if one was given; ms since 1970. */
  readonly now?: number
  /** Computes something once for all capabilities. */
  readonly once: <T>(compute: (context: RuleContext) => T) => T
}

export interface CapabilityFacts extends RuleContext {
  readonly name: string
  readonly capability: CapabilityView
}
export interface InputFacts extends CapabilityFacts {
  readonly input: InputView
}
export interface StepFacts extends CapabilityFacts {
  readonly step: StepView
}

/** A rule and its check. A row of a `codes.ts` has no check: another stage reports its code. */
export interface Rule extends RuleFacts {
  /**
   * The field of the capability, or of the input, without which the rule cannot report anything. It then does not run.
   */
  readonly needs?: keyof Capability | keyof CapabilityExtensions | keyof Input
  readonly ofManifest?: (facts: RuleContext, report: RuleReport) => void
  readonly ofCapability?: (facts: CapabilityFacts, report: RuleReport) => void
  readonly ofInput?: (facts: InputFacts, report: RuleReport) => void
  readonly ofStep?: (facts: StepFacts, report: RuleReport) => void
}
