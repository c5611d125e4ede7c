import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const contractVersionPrerelease = {
  code: 'SVC1307',
  slug: 'contract-version-prerelease',
  severity: 'info',
  source: 'L',
  section: '9.2',
  description: 'A published contract has a release version.',
  ofCapability({ capability }, report) {
    const version = capability.contract_version
    if (version === undefined || !version.split('+')[0]!.includes('-')) return
    report(at(capability, 'contract_version'), `\`${version}\` is a prerelease; consumers may not match it.`)
  },
} satisfies Rule
