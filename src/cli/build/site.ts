import type { Folders } from '../../compiler/config/folders.js'

/** Location of a project, the names of its folders, and the version of the service. */
export interface Site {
  readonly root: string
  readonly folders: Folders
  /** Semantic version, of its `package.json`. */
  readonly version: string
  readonly areTypesChecked: boolean
}
