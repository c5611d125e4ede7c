/** Node loads svc-kit as it is, and the addresses of the console end with a slash. */
export default { serverExternalPackages: ['svc-kit'], skipTrailingSlashRedirect: true }
