/** The folder of what `svc dev` makes: keys of its identities, the token of the agent; relative to the service. */
export const DEV_FOLDER = '.svc-dev'
