import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const issuedInFuture = {
  code: 'SVC1015',
  slug: 'issued-in-future',
  severity: 'warning',
  source: 'D',
  section: '2.3',
  description: '`issued_at` does not lie in the future.',
  ofManifest({ manifest, now }, report) {
    const issued = manifest.manifest_metadata?.issued_at
    if (now === undefined || issued === undefined || Date.parse(issued) <= now) return
    report(at(manifest.manifest_metadata!, 'issued_at'), `\`issued_at\` ${issued} lies in the future.`)
  },
} satisfies Rule
