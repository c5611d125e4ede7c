import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const sha256Authored = {
  code: 'SVC1011',
  slug: 'sha256-authored',
  severity: 'warning',
  source: 'D',
  section: '2.3,9.4',
  description: '`sha256` is left to the tools.',
  why: '`svc build` computes it over the published manifest.',
  ofManifest({ manifest }, report) {
    const metadata = manifest.manifest_metadata
    if (metadata?.sha256 === undefined || metadata.issued_at !== undefined) return
    report(keyOf(metadata, 'sha256'), '`sha256` is computed by `svc build`; remove it from the source.')
  },
} satisfies Rule
