import { join } from 'node:path'

/** Folder of the keys that a project's builds sign with. */
export const keysFolder = (root: string): string => join(root, process.env['SVC_KEYS'] ?? 'keys')
