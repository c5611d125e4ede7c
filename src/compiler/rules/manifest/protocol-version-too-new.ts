import { at } from '../../shape/view.js'
import { PROTOCOL_VERSION } from '../../../protocol/version.js'
import { versionUpTo } from '../facts/versions.js'
import type { Rule } from '../rule.js'
import { members } from '../schema-part.js'

const numbers = (version: string): readonly number[] => version.split('.').map(Number)

export const protocolVersionTooNew = {
  code: 'SVC1302',
  slug: 'protocol-version-too-new',
  severity: 'error',
  source: 'S',
  section: '9.6',
  description: 'The manifest targets a protocol version that this tool supports.',
  schema: { 'manifest metadata': members({ version: { type: 'string', pattern: versionUpTo(PROTOCOL_VERSION) } }) },
  ofManifest({ manifest: { manifest_metadata } }, report) {
    const version = manifest_metadata?.version
    if (version === undefined) return
    const [major = 0, minor = 0] = numbers(version)
    const [ourMajor = 0, ourMinor = 0] = numbers(PROTOCOL_VERSION)
    if ((major - ourMajor || minor - ourMinor) <= 0) return
    report(
      at(manifest_metadata!, 'version'),
      `The manifest targets ${version}; this svc supports up to ${ourMajor}.${ourMinor}. Use a newer svc, or an ` +
        'older version.',
    )
  },
} satisfies Rule
