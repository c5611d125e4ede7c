import type { JsonObject } from '../../../protocol/manifest.js'
import { CAPABILITY } from '../../shape/fields/capability.js'
import { INPUT } from '../../shape/fields/input.js'
import { versionBefore } from '../facts/versions.js'
import { allHold, lacks, members, says, when } from '../schema-part.js'
import { OTHER_FILES } from '../why-not.js'
import { keyOf } from '../../shape/view.js'
import { INTRODUCED_IN } from '../../../protocol/version.js'
import type { Rule, RuleContext, CapabilityView, InputView } from '../rule.js'

const isBefore = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0

/** The features that the protocol version of the manifest does not have yet. */
function featuresAfter({ manifest }: RuleContext): readonly (readonly [feature: string, since: string])[] {
  const version = manifest.manifest_metadata?.version
  if (version === undefined) return []
  return Object.entries(INTRODUCED_IN).filter(([, since]) => isBefore(version, since))
}

const lacksFeature = ([feature, since]: readonly [string, string]): JsonObject => {
  const input = { inputs: { type: 'array', items: lacks(feature) } }
  const part = Object.hasOwn(CAPABILITY.fields, feature) ? lacks(feature) : members(input)
  return when(
    says({ manifest_metadata: says({ version: { type: 'string', pattern: versionBefore(since) } }) }),
    members({ capabilities: { type: 'object', additionalProperties: part } }),
  )
}
const TOO_NEW = Object.entries(INTRODUCED_IN)
  .filter(([feature]) => Object.hasOwn(CAPABILITY.fields, feature) || Object.hasOwn(INPUT.fields, feature))
  .map(lacksFeature)

export const featureTooNew = {
  code: 'SVC1303',
  slug: 'feature-too-new',
  severity: 'error',
  source: 'S',
  section: '9.3',
  description: 'A feature exists in the protocol version that the manifest targets.',
  schema: { manifest: allHold(...TOO_NEW) },
  whyNot: OTHER_FILES,
  ofCapability({ manifest, capability, once }, report) {
    const version = manifest.manifest_metadata?.version
    const parts: readonly (CapabilityView | InputView)[] = [capability, ...(capability.inputs ?? [])]
    for (const [feature, since] of once(featuresAfter))
      for (const part of parts)
        if (Object.hasOwn(part, feature))
          report(
            keyOf(part, feature),
            `\`${feature}\` was introduced in ${since.slice(0, -2)}, but the manifest targets ${version}; raise ` +
              'the version or remove it.',
          )
  },
} satisfies Rule
