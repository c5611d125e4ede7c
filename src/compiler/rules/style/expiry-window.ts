import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const YEAR = 366 * 86_400_000

export const expiryWindow = {
  code: 'SVC6114',
  slug: 'expiry-window',
  severity: 'info',
  source: 'L',
  section: '2.3,9.4',
  description: 'A manifest is valid for at most a year.',
  why: 'Consumers cache it until then.',
  ofManifest({ manifest }, report) {
    const { issued_at, expires_at } = manifest.manifest_metadata ?? {}
    if (issued_at === undefined || expires_at === undefined || Date.parse(expires_at) - Date.parse(issued_at) <= YEAR)
      return
    const years = Math.floor((Date.parse(expires_at) - Date.parse(issued_at)) / YEAR)
    report(
      at(manifest.manifest_metadata!, 'expires_at'),
      `The manifest is valid for more than ${years === 1 ? 'a year' : `${years} years`}; consumers cache it ` +
        'until then.',
    )
  },
} satisfies Rule
