import { eq } from 'drizzle-orm'
import { createDemoService } from '@/reference-service/demo'
import type { Connect } from '@/server/base/database'
import { settings } from '@/server/base/schema'

/** The single edge to the reference service, which serves the demo in this process. */
export type DemoService = ReturnType<typeof createDemoService>
export { createDemoService }

/** Serves the external service at this origin in demo mode; otherwise the answer is 404. */
export async function serveDemo({ demo }: { demo: DemoService | null }, request: Request): Promise<Response> {
  if (demo === null) return Response.json({ error: 'Not Found' }, { status: 404 })
  const { url, method, headers, signal } = request
  // Next's request cannot be copied as a whole, and no endpoint of the service reads a body.
  return demo.handle(new Request(url, { method, headers, signal }))
}

type FirstStartOptions = { connect: Connect; now: () => number; env: { hasDemoPast: boolean } }

/** Returns when (ms) the demo counts as started: with a past, its first start, so that stored decisions still fit. */
export async function ensureFirstStart({ connect, now, env }: FirstStartOptions): Promise<number> {
  if (!env.hasDemoPast) return now()
  const db = await connect()
  const firstStart = { name: 'demo-past', value: {}, updatedAt: new Date(now()) }
  await db.insert(settings).values(firstStart).onConflictDoNothing()
  const [row = firstStart] = await db.select().from(settings).where(eq(settings.name, firstStart.name))
  return row.updatedAt.getTime()
}
