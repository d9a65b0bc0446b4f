import 'server-only'
import { sql } from 'drizzle-orm'
import type { ProviderCheck } from '@/server/access/provider-check'
import type { Connect, Db } from '@/server/db/database'
import type { RedisConnections } from '@/server/db/redis-connections'
import type { Feed } from '@/server/feed/feed'
import { withinTime } from '@/server/upstream/deadline'

type Parts = {
  connect: Connect
  feed: Pick<Feed, 'askedQuestions' | 'declarations'>
  redis: Pick<RedisConnections, 'commands'> | null
  providerCheck?: Pick<ProviderCheck, 'problem'> | null
}

const DATABASE_TIMEOUT_MS = 2_000

/**
 * Alive when it answers; ready (200, otherwise 503) when the database does. Without data from the service, Redis or the
 * provider of single sign-on, Intag is still worth reaching: it says what is wrong.
 */
export async function health({ connect, feed, redis, providerCheck }: Parts): Promise<Response> {
  const database = await databaseAnswers(connect)
  const data = feed.declarations().content !== null && feed.askedQuestions().content !== null
  return Response.json(
    {
      live: true,
      ready: database,
      database: database ? 'up' : 'down',
      ...(redis && { redis: redis.commands.status === 'ready' ? 'up' : 'down' }),
      ...(providerCheck && { singleSignOn: providerCheck.problem() === null ? 'up' : 'down' }),
      data: data ? 'present' : 'waiting',
    },
    { status: database ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  )
}

export type DatabaseCheck = (connect: Connect) => Promise<boolean>

/** Whether it answers within two seconds. */
export async function databaseAnswers(connect: () => Promise<Pick<Db, 'execute'>>): Promise<boolean> {
  const answer = connect().then((db) => db.execute(sql`select 1`))
  return withinTime(answer, DATABASE_TIMEOUT_MS).then(
    () => true,
    () => false,
  )
}
