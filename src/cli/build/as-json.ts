import { asJson } from '../shared/output/as-json.js'
import type { ChangedFile } from './write.js'

/** What a build changed, or with `--check` would change, as data. */
export const buildAsJson = (check: boolean, files: readonly ChangedFile[]): string => asJson({ check, files })
