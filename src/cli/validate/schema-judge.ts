import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { SchemaJudge } from '../../compiler/judge/refusal.js'
import { packageRoot } from '../shared/files/package-root.js'

/** The published JSON Schema as code, which the build of this package compiles; loaded by commands that judge a manifest. */
export function schemaJudge(): SchemaJudge {
  const root = packageRoot()
  return createRequire(join(root, 'package.json'))(join(root, 'dist/bundle/judge/index.cjs')) as SchemaJudge
}
