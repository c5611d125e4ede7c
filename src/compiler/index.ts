/** The compiler as a library: manifest text in, diagnostics and files out. It reads and writes nothing itself. */
export { check, createChecker, type Checked, type CheckOptions, type Preset } from './check.js'
export type { Diagnostic, Place, Position, Range, RelatedPlace, Severity, Source, TextEdit } from './diagnostics.js'
export { includesOf, type IncludeProblem } from './read/includes.js'
export { emit, type EmitOptions, type Emission, type HandlerPlace } from './emit.js'
export type { EmittedFile } from './emitted.js'
export { serviceOf } from './read/service-of.js'
