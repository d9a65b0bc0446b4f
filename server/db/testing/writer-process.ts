import 'server-only'
import { openPglite } from '@/server/db/database'
import { upstreamRequests } from '@/server/db/schema'

/** For the test that kills a process: writes row after row and says so after each, until it is killed. */
const { db } = await openPglite(process.argv[2] ?? '')
for (let sentAt = 1; sentAt <= 100_000; sentAt += 1) {
  await db.insert(upstreamRequests).values({ sentAt, purpose: 'test' })
  process.stdout.write(`${sentAt}\n`)
}
