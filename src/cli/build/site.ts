import type { Folders } from '../../compiler/config/folders.js'

/** Where a project is, and what its folders are called. */
export interface Site {
  readonly root: string
  readonly folders: Folders
}
