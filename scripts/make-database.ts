import { openPglite } from '@/server/db/database'

// Makes the database that new installations begin with, in the folder given.
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('no folder given')
await (await openPglite(folder)).close()
