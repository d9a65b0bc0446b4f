import { createAdmissionLimit } from '@/server/base/concurrency-limit'
import { createMailer } from '@/server/base/mailer'
import { deriveKey } from '@/server/base/seal'
import type { BaseServices } from '@/server/base/services'
import { createHttpTransport } from '@/server/base/transport'
import { createActivityLog, createRefusalLog } from './activity'
import { createLeadOpenings } from './lead-openings'
import { createProviderDiscovery } from './provider-discovery'
import { createSessions } from './sessions'
import { createThrottle } from './throttle'
import { createUsers } from './users'
import { createViewerCache } from './viewer-cache'

declare module '@/server/base/services' {
  interface Services extends AccessServices {}
}

export type AccessServices = ReturnType<typeof createAccessServices>

export function createAccessServices(base: BaseServices) {
  const { env, now, counters, connect, announcer } = base
  const activity = createActivityLog(base)
  const users = createUsers({ connect, now, isDemo: env.mode === 'demo' })
  const sessions = createSessions(base)
  const viewers = createViewerCache(base, sessions)
  announcer.registerCache({
    onEvent: (event) => event.name === 'person' && viewers.invalidate(event.userId),
    onGap: viewers.invalidateAll,
  })
  return {
    activity,
    leadOpenings: createLeadOpenings(base),
    logRefusal: createRefusalLog(base, activity),
    users,
    throttle: createThrottle(base, deriveKey(env.dataKeys[0], 'sign-in attempts')),
    sessions,
    viewers,
    /** Null without a mail server; users then write with their own mail program. */
    mailer: env.mail && createMailer({ settings: env.mail, countMail: counters.countMail }),
    providerDiscovery: env.oidc && createProviderDiscovery({ ...env.oidc, transport: createHttpTransport(), now }),
    // Its key is the network, so that a flood from one leaves room for others.
    signInLimit: createAdmissionLimit({ maxTotal: 20, maxPerKey: 6, retryAfterSeconds: 2 }),
  }
}
