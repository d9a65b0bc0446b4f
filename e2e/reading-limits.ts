import { request } from '@playwright/test'
import { admin, bootstrapAdmin, CONNECTED, DEMO, OTHER_BROWSERS, signIn } from './fixtures'

/** Tests read in minutes what people read in weeks; only tests about that are asked why. */
export default async function raiseReadingLimits(): Promise<void> {
  const isOthers = process.env.TEST_PART === 'browsers'
  const apps = isOthers
    ? ([[OTHER_BROWSERS, admin]] as const)
    : ([
        [DEMO, admin],
        [CONNECTED, bootstrapAdmin],
      ] as const)
  for (const [origin, account] of apps) {
    const context = await request.newContext()
    await signIn(context, account, origin)
    const data = { listed: 1_000_000, opened: 100_000 }
    const answer = await context.put(`${origin}/api/reading/limits`, { headers: { origin }, data })
    if (!answer.ok()) throw new Error(`the limits of reading could not be set at ${origin}: ${answer.status()}`)
    await context.dispose()
  }
}
