import type { Folders } from '../../compiler/config/folders.js'

/** Location of a project, the names of its folders, and the version of the service. */
export interface Site {
  readonly root: string
  readonly folders: Folders
  /** Semantic version, of its `package.json`. */
  readonly version: string
  /** False where the types of the code were not checked, or its packages are left where they are installed. */
  readonly isFinished: boolean
  /** True where a watcher builds: packages are not joined, since they are at hand. */
  readonly isDraft: boolean
}
