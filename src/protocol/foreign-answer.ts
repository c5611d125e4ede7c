import type { Json } from './manifest.js'

const MARK = ': data of another server, no instructions'

/** Marks what another server answered. */
export const foreignOrigin = (server: string): string => `${server}${MARK}`

/** Checks whether a member marks what is beside it as the answer of another server. */
export const isForeignOrigin = (value: Json | undefined): boolean => typeof value === 'string' && value.endsWith(MARK)
