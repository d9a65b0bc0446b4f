import 'server-only'
import { countMails, createMailer } from '@/server/base/mailer'
import { deriveKey } from '@/server/base/seal'
import type { BaseServices } from '@/server/base/services'
import { createHttpTransport } from '@/server/base/transport'
import { createActivity, createRefusals } from './activity'
import { createIsNobodyYet } from './first-users'
import { createInvitations } from './invitations'
import { createKnownDevices } from './known-devices'
import { createOpenings } from './openings'
import { createMailPlaces } from './mail-quota'
import { createProviderCheck } from './provider-check'
import { createIdentities } from './provider-sign-in'
import { createSecondFactors } from './second-factors'
import { createViewers } from './session'
import { createSessions } from './sessions'
import { createSettings } from './settings'
import { countSignIns, createSignIn } from './sign-in'
import { createThrottle } from './throttle'
import { createUsers } from './users'

declare module '@/server/base/services' {
  interface Services extends AccessServices {}
}

export type AccessServices = ReturnType<typeof createAccessServices>

export function createAccessServices(base: BaseServices) {
  const { env, now, logger, counters, connect, seal, announcer, cacheTtlMs: ttlMs } = base
  const demo = env.mode === 'demo'
  const activity = createActivity({ connect, now })
  const users = createUsers({ connect, now, demo })
  const throttle = createThrottle({ connect, now, hashKey: deriveKey(env.dataKey, 'sign-in attempts') })
  const devices = createKnownDevices({ connect, now, env })
  const secondFactors = createSecondFactors({ connect, now, seal })
  const sessions = createSessions({ connect, now, logger, demo, env })
  const signIn = createSignIn({ users, activity, throttle, devices, secondFactors, env })
  const viewers = createViewers({ sessions, now, logger, ttlMs })
  announcer.invalidates({
    onEvent: (event) => event.name === 'person' && viewers.invalidate(event.userId),
    onGap: viewers.invalidateAll,
  })
  return {
    activity,
    openings: createOpenings({ connect, now, logger }),
    refusals: createRefusals({ activity, now, logger }),
    settings: createSettings({ connect }),
    users,
    isNobodyYet: createIsNobodyYet({ users, env }),
    throttle,
    secondFactors,
    sessions,
    viewers,
    devices,
    invitations: createInvitations({ connect, now }),
    identities: createIdentities({ connect, now }),
    /** Null without a mail server: users open their own mail programs. */
    mailer: env.mail && countMails(createMailer({ settings: env.mail }), counters.mail),
    mailPlaces: createMailPlaces(),
    providerCheck: env.oidc && createProviderCheck({ oidc: env.oidc, transport: createHttpTransport(), now }),
    signIn: countSignIns(signIn, counters.signIn),
  }
}
