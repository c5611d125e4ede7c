import { join } from 'node:path'

/** Where a project keeps the keys that its builds sign with. */
export const keysFolder = (root: string): string => join(root, process.env['SVC_KEYS'] ?? 'keys')
