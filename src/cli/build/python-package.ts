import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import { pythonPackage } from '../../protocol/python-names.js'
import type { Manifest } from '../../protocol/manifest.js'
import { packageRoot } from '../shared/files/package-root.js'

const FIXED = ['_core.py', '_es256.py', '_events.py', '_http.py', '_pending.py', '_supported.py'] as const

/** The fixed part of the Python package, as it is: what differs between services was generated beside it. */
export function pythonCore({ service_identity }: Manifest): readonly EmittedFile[] {
  const folder = `dist/python/${pythonPackage(service_identity.id)}`
  const fixed = FIXED.map((name) => ({
    path: `${folder}/${name}`,
    text: readFileSync(join(packageRoot(), 'templates/python', name), 'utf8'),
    ownership: 'generated' as const,
  }))
  return [...fixed, { path: `${folder}/py.typed`, text: '', ownership: 'generated' }]
}
