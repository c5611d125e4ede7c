import { packageVersion } from '../shared/files/package-root.js'

/** Name of the generator in headers and locks. */
export const generatorName = (): string => `svc ${packageVersion()}`
