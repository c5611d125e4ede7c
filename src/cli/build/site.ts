import type { Folders } from '../../compiler/config/folders.js'

/** Location of a project and the names of its folders. */
export interface Site {
  readonly root: string
  readonly folders: Folders
}
