import { OUTPUT_VERSION, printedJson } from '../../../compiler/report/printed-json.js'

/** Prints data of a published schema (`svc schema`), with its version. */
export const asJson = (data: object): string => printedJson({ version: OUTPUT_VERSION, ...data })
