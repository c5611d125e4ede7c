import { asJson } from '../shared/output/as-json.js'
import type { ChangedFile } from './write.js'

/** Formats the changes of a build, or of `--check`, as data. */
export const buildAsJson = (check: boolean, files: readonly ChangedFile[]): string => asJson({ check, files })
