import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const expiresBeforeIssued = {
  code: 'SVC1013',
  slug: 'expires-before-issued',
  severity: 'error',
  source: 'D',
  section: '2.3',
  description: '`expires_at` is after `issued_at`.',
  whyNot: TWO_VALUES,
  ofManifest({ manifest }, report) {
    const { issued_at, expires_at } = manifest.manifest_metadata ?? {}
    if (issued_at === undefined || expires_at === undefined || Date.parse(expires_at) > Date.parse(issued_at)) return
    const metadata = manifest.manifest_metadata!
    report(at(metadata, 'expires_at'), `\`expires_at\` ${expires_at} is not after \`issued_at\` ${issued_at}.`, {
      related: [{ span: at(metadata, 'issued_at'), message: '`issued_at` is here.' }],
    })
  },
} satisfies Rule
