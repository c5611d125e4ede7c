/** Makes identifiers of TypeScript from names of the manifest. Nothing else in the compiler does. */

export { identifierOf, methodNameOf, typeNameOf } from '../protocol/client-names.js'

/** Devices of Windows: there, `con`, `con.ts` and `con.open.ts` are no files. */
const DEVICE = /^(?:aux|con|nul|prn|com\d|lpt\d)(?=\.|$)/u

/** A name that every system takes for a file: a device gets a `$`, which no other name can have. */
export const portableName = (name: string): string => name.replace(DEVICE, '$&$$')
