import { OUTPUT_VERSION, printedJson } from '../../../compiler/report/printed-json.js'

/** What a command prints as data: of a published schema (`svc schema`), and which version of it. */
export const asJson = (data: object): string => printedJson({ version: OUTPUT_VERSION, ...data })
