/** The expression that stands, in a bundle, for the folder of the console's files: they lie beside the server. */
export const CONSOLE_FOLDER = "'./console/'"

/** Finds that expression as a bundler prints it. */
export const READS_CONSOLE = /new URL\(["']\.\/console\/["'], import\.meta\.url\)/u
