import 'server-only'
import { join } from 'node:path'

/** Read from the folder the server is started in: a bundler moves the code, but not these files. */
export const migrationsFolder = () => join(/* turbopackIgnore: true */ process.cwd(), 'server', 'db', 'migrations')
