import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const contractVersionIsProtocol = {
  code: 'SVC1309',
  slug: 'contract-version-is-protocol',
  severity: 'warning',
  source: 'D',
  section: '9.2',
  description: '`contract_version` is not the protocol version.',
  why: 'They are separate: the one counts changes of this capability.',
  ofCapability({ manifest, capability }, report) {
    const version = capability.contract_version
    if (version === undefined || version !== manifest.manifest_metadata?.version) return
    report(
      at(capability, 'contract_version'),
      `\`contract_version\` ${version} equals the protocol version; count the versions of this contract instead.`,
    )
  },
} satisfies Rule
