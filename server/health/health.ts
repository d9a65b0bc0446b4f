import 'server-only'
import { sql } from 'drizzle-orm'
import { services } from '@/server/services'

const DATABASE_TIMEOUT_MS = 2_000

/**
 * Alive when it answers; ready (200, otherwise 503) when the database does. Without data from the service, or without
 * Redis, Intag is still worth reaching: it says what is wrong.
 */
export async function health(): Promise<Response> {
  const { feed, redis } = services()
  const database = await databaseAnswers()
  const data = feed.declarations().content !== null && feed.askedQuestions().content !== null
  return Response.json(
    {
      live: true,
      ready: database,
      database: database ? 'up' : 'down',
      ...(redis && { redis: redis.commands.status === 'ready' ? 'up' : 'down' }),
      data: data ? 'present' : 'waiting',
    },
    { status: database ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  )
}

async function databaseAnswers(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), DATABASE_TIMEOUT_MS)))
  const answer = services()
    .connect()
    .then((db) => db.execute(sql`select 1`))
    .then(() => true)
    .catch(() => false)
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
}
