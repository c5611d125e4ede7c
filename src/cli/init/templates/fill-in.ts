import { CliError } from '../../shared/errors/cli-error.js'
import type { WriteValue } from '../../shared/formats/of-file.js'
import type { TemplateFile } from '../template-folder.js'
import type { TemplateValues } from '../template-values.js'

/** Fills in a file of a folder of templates. */
export type FillIn = (file: TemplateFile, values: TemplateValues, write: WriteValue) => string

export const TEMPLATE_SUFFIX = '.tmpl'

/** The text of a template. */
export function textOfTemplate({ path, bytes }: TemplateFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CliError(
      `${path} of the template is not text in UTF-8. Without ${TEMPLATE_SUFFIX} it is copied as it is.`,
    )
  }
}
