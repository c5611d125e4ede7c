import { keyOf } from '../../shape/view.js'
import { INTRODUCED_IN } from '../../../protocol/version.js'
import type { Rule, CapabilityView, InputView } from '../rule.js'

const isBefore = (one: string, other: string): boolean => {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)]
  const index = a.findIndex((part, at) => part !== b[at])
  return index !== -1 && a[index]! < b[index]!
}

export const featureTooNew = {
  code: 'SVC1303',
  slug: 'feature-too-new',
  severity: 'error',
  source: 'S',
  section: '9.3',
  description: 'A feature exists in the protocol version that the manifest targets.',
  ofCapability({ manifest, capability }, report) {
    const version = manifest.manifest_metadata?.version
    if (version === undefined || !isBefore(version, '0.24.0')) return
    for (const [feature, since] of Object.entries(INTRODUCED_IN)) {
      if (!isBefore(version, since)) continue
      const parts: readonly (CapabilityView | InputView)[] = [capability, ...(capability.inputs ?? [])]
      for (const part of parts)
        if (Object.hasOwn(part, feature))
          report(
            keyOf(part, feature),
            `\`${feature}\` was introduced in ${since.slice(0, -2)}, but the manifest targets ${version}; raise ` +
              'the version or remove it.',
          )
    }
  },
} satisfies Rule
