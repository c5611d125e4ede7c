import { NODE } from '../../shape/view.js'
import { replace } from '../../finding.js'
import type { Rule } from '../rule.js'

export const noModeline = {
  code: 'SVC6110',
  slug: 'no-modeline',
  severity: 'info',
  source: 'L',
  description: 'A manifest names its schema for editors.',
  ofManifest({ manifest, written }, report) {
    const first = manifest[NODE]
    if (/^#\s*yaml-language-server:/mu.test(written({ start: 0, end: first.start }))) return
    // JSON has no comments, and a manifest in braces is JSON or may become it.
    if (written(first).startsWith('{')) return
    const span = { start: first.start, end: first.start }
    const line = '# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json\n'
    report(
      manifest[NODE].keys[0] ?? span,
      'Editors complete and explain the fields after a first line `# yaml-language-server: $schema=…`.',
      { suggestion: line.trim(), fix: replace(span, line) },
    )
  },
} satisfies Rule
