import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const DAY = 86_400_000

export const manifestExpired = {
  code: 'SVC1014',
  slug: 'manifest-expired',
  severity: 'warning',
  source: 'D',
  section: '2.3,9.4',
  description: 'A manifest has not expired.',
  ofManifest({ manifest, now }, report) {
    const { issued_at, expires_at } = manifest.manifest_metadata ?? {}
    if (now === undefined || expires_at === undefined) return
    const age = now - Date.parse(expires_at)
    if (age < 0 || (issued_at !== undefined && Date.parse(expires_at) <= Date.parse(issued_at))) return
    const days = Math.floor(age / DAY)
    report(
      at(manifest.manifest_metadata!, 'expires_at'),
      `The manifest expired ${days} ${days === 1 ? 'day' : 'days'} ago; publish it anew.`,
    )
  },
} satisfies Rule
