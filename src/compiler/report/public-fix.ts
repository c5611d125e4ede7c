import type { Diagnostic, TextEdit } from '../diagnostics.js'
import type { Mask } from './mask.js'
import type { CheckedRun } from './run.js'

/** The fix of a finding as others may read it; undefined where it would show a secret, in what it removes or writes. */
export function publicFix({ fix }: Diagnostic, run: CheckedRun, mask: Mask): readonly TextEdit[] | undefined {
  const isOpen = ({ file, range, newText }: TextEdit): boolean =>
    !mask.hides(newText) && sliceOf(run, file, range) === sliceOf(mask, file, range)
  return fix?.every(isOpen) ? fix : undefined
}

const sliceOf = ({ sources }: Pick<CheckedRun, 'sources'>, name: string, { start, end }: TextEdit['range']): string =>
  sources.find(({ file }) => file === name)?.text.slice(start.offset, end.offset) ?? ''
