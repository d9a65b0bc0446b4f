import { openPglite } from '@/server/db/database'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('no folder given')
await (await openPglite(folder)).close()
