import { resolve } from 'node:path'

/** The folder of the service among the arguments of a build. */
export const rootOf = (args: readonly string[]): string => resolve(args.find((arg) => arg !== NO_BUNDLE) ?? '.')

export const NO_BUNDLE = '--no-bundle'
