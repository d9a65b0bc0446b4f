import { request } from '@playwright/test'
import { admin, bootstrapAdmin, CONNECTED, DEMO, signIn } from './fixtures'

/** The tests read in minutes what people read in weeks: none of them is asked why, but for those that are about it. */
export default async function raiseReadingLimits(): Promise<void> {
  for (const [origin, account] of [
    [DEMO, admin],
    [CONNECTED, bootstrapAdmin],
    ['http://localhost:3105', admin],
  ] as const) {
    const context = await request.newContext()
    await signIn(context, account, origin)
    const data = { listed: 1_000_000, opened: 100_000 }
    const answer = await context.put(`${origin}/api/reading/limits`, { headers: { origin }, data })
    if (!answer.ok()) throw new Error(`the limits of reading could not be set at ${origin}: ${answer.status()}`)
    await context.dispose()
  }
}
