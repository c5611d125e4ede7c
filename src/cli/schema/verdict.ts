import { closed, flagSchema, listOf, textSchema, version } from '../../compiler/report/closed.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { FACTS, type FactKind } from '../verify/facts.js'
import { ARTEFACT_KINDS, type ArtefactKind } from '../verify/kinds.js'

const factOf = ({ type, description }: FactKind): JsonObject => ({ description, type })

/** Any fact may be absent: a file that does not verify may say nothing. */
const factsOf = (kind: ArtefactKind): JsonObject =>
  closed(
    'Contents and counts of the file, as far as readable; unproven unless `verified`.',
    {},
    Object.fromEntries(Object.entries(FACTS[kind]).map(([name, fact]) => [name, factOf(fact)])),
  )

const verdictOn = (kind: ArtefactKind): JsonObject =>
  closed(`About ${kind === 'entry' || kind === 'export' ? 'an' : 'a'} ${kind}.`, {
    version,
    kind: { description: 'Kind of the file.', const: kind },
    verified: flagSchema('True if the file is verified; only then there are no findings.'),
    facts: factsOf(kind),
    findings: listOf('Findings.', textSchema('A full sentence.')),
  })

/** The shape of what `svc verify --json` prints, by kind. */
export const VERDICT: JsonObject = { description: 'Verification of a file.', oneOf: ARTEFACT_KINDS.map(verdictOn) }
