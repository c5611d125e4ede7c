import { packageVersion } from '../shared/files/package-root.js'

/** Who generates, as headers and locks say it. */
export const generatorName = (): string => `svc ${packageVersion()}`
